"""Auruxxx once more: slow, plain and written from the numbered rules alone.

It shares no code with the engine. Cards are their names in lists; rule ids stand beside what
they ask for. What chance decides is told from outside (`Chance`) and only checked here: that the
card was in the pile or in that hand, and that there are as many cards as the rule says.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

COLOURS = ("r", "y", "g", "b", "v")  # A0.1
ACTION_CARDS = ("blessing", "steal", "swap")  # A0.5
GOLD = "gold"  # A0.4


# --- The cards (A0) -----------------------------------------------------------------------------
def is_action(card: str) -> bool:
    return card in ACTION_CARDS


def is_happy(card: str) -> bool:
    return card.endswith("H")


def is_fifty(card: str) -> bool:
    return card.endswith("50")


def is_number(card: str) -> bool:
    return not (card == GOLD or is_action(card) or is_happy(card) or is_fifty(card))


def colour(card: str) -> str:
    """The colour of a number card, a 50 or a Happy-Man card; the other cards have none."""
    return "" if card == GOLD or is_action(card) else card[0]


def number(card: str) -> int:
    """The number of a number card."""
    assert is_number(card)
    return int(card[1:])


def same_number(card: str, other: str) -> bool:
    """Whether two cards can be twins: number cards of one number, or two 50s."""
    if is_number(card) and is_number(other):
        return number(card) == number(other)
    return is_fifty(card) and is_fifty(other)


def worth(card: str, golden_value: int) -> int:
    """What a card left in a hand counts (A7.1)."""
    if card == GOLD:
        return golden_value
    if is_action(card) or is_happy(card):
        return 25
    return 50 if is_fifty(card) else number(card)


# --- What fits on what (A3) ---------------------------------------------------------------------
def fits_by_colour(card: str, top: str) -> bool:
    return colour(card) != "" and colour(card) == colour(top)  # A3.1, A3.6, A3.8


def fits_by_number(card: str, top: str) -> bool:
    if not (is_number(card) and is_number(top)):
        return False  # A3.7: a 50 has no neighbours
    return abs(number(card) - number(top)) <= 1  # A3.2


def fits(card: str, top: str) -> bool:
    """Whether a card that is no Golden 12 may be laid on the top card, by itself."""
    if is_action(card) or is_action(top):
        return True  # A3.9
    if is_number(card) and number(card) == 2:
        return True  # A3.4
    if is_number(top) and number(top) == 2:
        return True  # A3.5: all other cards but actions have a colour, and every colour fits
    if is_fifty(card) and is_fifty(top):
        return True  # A3.6
    if is_happy(card) and is_happy(top):
        return True  # A3.8
    return fits_by_colour(card, top) or fits_by_number(card, top)


def fits_as_multiple(card: str, top: str) -> bool:
    """Whether twins of this card may follow it when it is laid on this top card."""
    if is_fifty(card):
        return is_fifty(top) or is_action(top)  # A3.6
    if is_number(card):
        # A3.3 and A3.9. The same covers 2s (A3.4) and what is laid on a 2 (A3.5): 1s, 2s, 3s.
        return is_action(top) or fits_by_number(card, top)
    return False  # A3.8: Happy-Man cards one at a time; A5.1: action cards one by one


# --- Chance, and what a round came to -----------------------------------------------------------
@dataclass
class Deal:
    """What the cards of a new round were."""

    hands: list[list[str]]
    turned_up: list[str]  # the whole discard pile, which must be a single card


@dataclass
class Chance:
    """What chance decided in one decision.

    drawn: the cards each seat took from the pile.
    stolen: the cards taken out of each seat's hand.
    deal: the cards of the round that the decision brought about, if it did.
    """

    drawn: dict[int, list[str]] = field(default_factory=dict)
    stolen: dict[int, list[str]] = field(default_factory=dict)
    deal: Deal | None = None


@dataclass
class Result:
    """A round that is over: its winner, if it has one, and the points of every seat."""

    winner: int | None
    points: list[float]


class ImpossibleChanceError(AssertionError):
    """Chance as it was told cannot have happened."""


def require(possible: bool, message: str) -> None:
    if not possible:
        raise ImpossibleChanceError(message)


def without(cards: Iterable[str], gone: Iterable[str]) -> list[str]:
    """The cards that are left when some are taken out; it must be possible."""
    left = list(cards)
    for card in gone:
        require(card in left, f"{card} is not among {left}")
        left.remove(card)
    return left


# --- The game -----------------------------------------------------------------------------------
class Reference:
    """One game. Fields are named as in the engine's positions; `pile` has no order."""

    def __init__(
        self,
        deck: list[str],
        players: int,
        deal: Deal,
        *,
        rounds: int = 3,
        hand_size: int = 12,
        edition: str = "german",
        after_action: str = "free",
        blessing_draws: str = "others",
        golden_value: int = 12,
        max_passes: int = 3,
        max_draws: int = 2,
        cards_per_two: int = 2,
        max_turns: int = 0,
        max_decisions: int = 3000,
    ) -> None:
        self.deck = deck
        self.players = players
        self.rounds = rounds
        self.hand_size = hand_size
        self.edition = edition
        self.after_action = after_action
        self.blessing_draws = blessing_draws
        self.golden_value = golden_value
        self.max_passes = max_passes
        self.max_draws = max_draws
        self.cards_per_two = cards_per_two
        self.max_turns = max_turns
        self.max_decisions = max_decisions

        self.over = False
        self.round = 1
        self.scores = [0.0] * players
        self.figure: int | None = None  # A1.4
        self.capped_rounds = 0
        self.result: Result | None = None  # of the round that the last decision ended
        self.round_winners: list[int | None] = []
        self.seen: Counter[str] = Counter()  # rare things that happened
        self.begin_round(deal)

    # --- Setting up (A1) ---
    def begin_round(self, deal: Deal) -> None:
        require(len(deal.hands) == self.players, "a hand for every player")
        for hand in deal.hands:
            require(len(hand) == self.hand_size, "A1.1: every hand has the same size")
        require(len(deal.turned_up) == 1, "A1.1: one card is turned up")
        require(deal.turned_up != [GOLD], "A1.2: it is no Golden 12")
        self.hands = [list(hand) for hand in deal.hands]
        self.discard = list(deal.turned_up)
        self.pile = without(self.deck, [*self.discard, *(c for hand in self.hands for c in hand)])
        # A1.3: the last seat deals the first round, then the deal moves on; A1.2: nothing acts.
        dealer = (self.players - 1 + self.round - 1) % self.players
        self.crosses = [0] * self.players
        self.decisions = 0
        self.turns = 0
        self.demand = 0
        self.layer: int | None = None  # who laid the 2s that demand
        self.begin_turn((dealer + 1) % self.players)

    def begin_turn(self, seat: int) -> None:
        self.current_player = seat
        self.drawn = 0
        self.acted = 0
        self.phase = "demand" if self.demand else "play"  # A4.1

    # --- What may be done ---
    def legal(self) -> set[str]:
        """The names of all legal moves."""
        if self.over:
            return set()
        if self.phase == "demand":  # A4.3
            return {"take", "pass"} if self.may_pass() else {"take"}
        if self.phase == "multiple":
            return {"end"} | {f"lay {card}" for card in self.twins()}
        moves = set()
        if self.drawn == 0 and not self.acted and self.may_pass():
            moves.add("pass")  # A2.1, A5.2
        lays = self.legal_lays()
        if not (lays and self.must_lay_what_it_can()):
            moves.add("draw" if self.drawn < self.max_draws else "end")  # A2.2, A2.4, A5.2
        return moves | lays

    def must_lay_what_it_can(self) -> bool:
        """Whether who can lay has no other choice at this point of the turn."""
        if self.edition == "web" and self.drawn > 0:
            return True  # A2.6: no second draw, and no end
        drawn = self.drawn == self.max_draws
        return self.after_action == "lay" and self.acted == 1 and drawn  # A5.2: no end

    def may_pass(self) -> bool:
        return self.crosses[self.current_player] < self.max_passes  # A2.1

    def legal_lays(self) -> set[str]:
        hand, top = self.hands[self.current_player], self.discard[-1]
        if hand and all(card == GOLD for card in hand):
            return {"lay gold"}  # A6.1, A3.10
        if len(hand) < 2:
            return set()  # A3.11
        moves = set()
        for card in hand:
            if card == GOLD or not fits(card, top):
                continue
            if card == "swap":  # A5.4
                moves |= {f"swap +{seats}" for seats in range(1, self.players)}
            elif is_action(card):
                moves.add(card)
            else:
                moves.add(f"lay {card}")
        return moves

    def twins(self) -> list[str]:
        """The cards of the hand that may be added to the multiple on top (A3.3, A3.11)."""
        hand = self.hands[self.current_player]
        if len(hand) < 2:
            return []
        return [card for card in hand if same_number(card, self.discard[-1])]

    # --- Doing it ---
    def play(self, move: str, chance: Chance) -> None:
        """Play a legal move. Raises ImpossibleChanceError if chance cannot have been so."""
        assert move in self.legal(), f"{move} is not legal"
        self.result = None
        self.decisions += 1
        self.note_demand(move)
        self.note_force(move)
        if move == "draw":
            self.take_from_pile(self.current_player, 1, chance)
            self.drawn += 1
        elif move == "take":
            self.take_from_pile(self.current_player, self.demand, chance)
            self.demand = 0
            self.begin_turn(
                self.current_player
            )  # A4.1: its turn, in full; A2.5: none of the two draws
        elif move == "pass":
            self.crosses[self.current_player] += 1
            self.end_turn()  # with a demand, that moves on (A4.2)
        elif move == "end":
            self.end_turn()
        elif move == "lay gold":
            self.lay_golden()
        elif move.startswith("lay "):
            self.lay(move.removeprefix("lay "))
        else:
            self.act(move, chance)
        if self.result is None and self.decisions == self.max_decisions:  # A8.1
            self.capped_rounds += 1
            self.seen["round capped"] += 1
            self.seen[f"capped by {move.split(maxsplit=1)[0]}"] += 1
            self.seen["demand ended by the cap"] += self.demand > 0
            self.score_round(None, 0)
        if self.result is not None:
            self.end_round(chance.deal)
        else:
            require(chance.deal is None, "no new deal before the round is over")
        assert not any(chance.drawn.values()), f"{move}: {chance.drawn} too many cards drawn"
        assert not any(chance.stolen.values()), f"{move}: {chance.stolen} too many cards stolen"

    def end_turn(self) -> None:
        self.turns += 1
        if self.turns == self.max_turns:  # A8.1; 0: no cap
            self.seen["turns over"] += 1
            self.seen["demand ended by the last turn"] += self.demand > 0
            self.score_round(None, 0)
        else:
            self.begin_turn((self.current_player + 1) % self.players)  # A1.3: clockwise

    def take_from_pile(self, seat: int, count: int, chance: Chance) -> None:
        """Move `count` cards from the pile into a hand, the ones that chance says."""
        got = chance.drawn.pop(seat, [])
        self.hands[seat] += got
        if count > len(self.pile):  # A1.5: the pile gives all it has, then it is turned over
            got = without(got, self.pile)
            count -= len(self.pile)
            self.seen["pile turned over"] += len(self.discard) > 1
            self.seen["pile turned over while taking"] += len(self.pile) > 0
            self.pile, self.discard = self.discard[:-1], self.discard[-1:]
        if count > len(self.pile):
            self.seen["nothing to draw"] += 1
            count = len(self.pile)
        require(len(got) == count, f"{got} drawn, but {count} cards had to be")
        self.pile = without(self.pile, got)

    def lay(self, card: str) -> None:
        """Lay a coloured card."""
        top = self.discard[-1]
        added = self.phase == "multiple"
        several = added or fits_as_multiple(card, top)
        self.put_down(card)
        if is_number(card) and number(card) == 2:
            self.demand += self.cards_per_two  # A4.1
            self.layer = self.current_player
        if is_happy(card):  # A5.7
            if self.figure not in (None, self.current_player):
                self.seen["figure taken from its owner"] += 1
            self.figure = self.current_player
        if added:
            self.seen["multiple"] += 1
            self.seen["multiple of 2s"] += is_number(card) and number(card) == 2
            self.seen["multiple of 50s"] += is_fifty(card)
        if several and len(self.hands[self.current_player]) >= 2:
            self.phase = "multiple"  # A2.4: the player is asked whether it has more of it or not
            self.seen["nothing to add"] += not self.twins()
        else:
            self.seen["twin left as the last card"] += several and any(
                same_number(card, other) for other in self.hands[self.current_player]
            )
            self.end_turn()  # A2.4

    def put_down(self, card: str) -> None:
        self.hands[self.current_player].remove(card)
        self.discard.append(card)

    def act(self, move: str, chance: Chance) -> None:
        """Lay an action card; it takes effect at once and the turn goes on (A5.1)."""
        self.put_down("swap" if move.startswith("swap") else move)
        self.seen["action card after an action card"] += self.acted
        self.acted = 1
        others = [(self.current_player + seats) % self.players for seats in range(1, self.players)]
        if move.startswith("swap"):  # A5.4
            other = others[int(move.removeprefix("swap +")) - 1]
            self.seen["swap with an empty hand"] += not self.hands[other]
            self.hands[self.current_player], self.hands[other] = (
                self.hands[other],
                self.hands[self.current_player],
            )
            return
        seats = others if move == "blessing" else others[:1]  # A5.3, A5.5
        for seat in seats:
            if self.edition == "italian":  # A5.8
                self.take_from_pile(seat, 1, chance)
            else:
                self.steal_from(seat, move, chance)
        if move == "blessing" and self.blessing_draws == "all":  # A5.8: last
            self.take_from_pile(self.current_player, 1, chance)

    def steal_from(self, seat: int, move: str, chance: Chance) -> None:
        got = chance.stolen.pop(seat, [])
        if not self.hands[seat]:
            self.seen[f"{move} on an empty hand"] += 1
            require(not got, "A5.3, A5.5: an empty hand gives nothing")
            return
        require(len(got) == 1, f"{got} stolen from seat {seat}, but it had to be one card")
        self.hands[seat] = without(self.hands[seat], got)
        self.hands[self.current_player] += got

    # --- The end of a round (A6.2, A7) ---
    def lay_golden(self) -> None:
        golden = len(self.hands[self.current_player])
        self.discard += self.hands[self.current_player]
        self.hands[self.current_player] = []
        self.seen["Golden 12 after an action card"] += self.acted
        self.seen["several Golden 12s"] += golden > 1
        self.seen["Golden 12 as the last decision allowed"] += self.decisions == self.max_decisions
        self.seen["winner owns the figure"] += self.figure == self.current_player
        self.score_round(self.current_player, golden)

    def score_round(self, winner: int | None, golden: int) -> None:
        points = []
        for seat, hand in enumerate(self.hands):
            result = float(sum(worth(card, self.golden_value) for card in hand))  # A7.1
            result += 5 * self.crosses[seat]  # A7.2
            if seat == winner:
                result -= 5 * golden  # A7.3
            if seat == self.figure and result > 0:
                self.seen["half a point"] += result % 2 == 1
                result /= 2  # A7.4
            elif seat == self.figure:
                self.seen["figure without points to halve"] += result < 0
            points.append(result)
        self.result = Result(winner, points)

    def end_round(self, deal: Deal | None) -> None:
        assert self.result is not None
        self.round_winners.append(self.result.winner)
        for seat, points in enumerate(self.result.points):
            self.scores[seat] += points
        if self.round == self.rounds:  # A7.5
            self.over = True
            winners = {seat for seat, share in enumerate(self.win_shares()) if share}
            self.seen["shared win"] += len(winners) > 1
            self.seen["won without winning a round"] += not winners & set(self.round_winners) and (
                self.round_winners[-1] is not None
            )
            require(deal is None, "A7.5: no round after the last")
            return
        require(deal is not None, "a new round needs a deal")
        assert deal is not None
        self.round += 1
        self.begin_round(deal)

    def win_shares(self) -> list[float]:
        """Each seat's share of the win (A7.5)."""
        best = min(self.scores)
        winners = self.scores.count(best)
        return [1 / winners if score == best else 0.0 for score in self.scores]

    # --- For the notes on what happened ---
    def note_demand(self, move: str) -> None:
        if self.phase == "demand":
            self.seen["demand passed on"] += move == "pass"
            self.seen["demand without a pass left"] += not self.may_pass()
            self.seen["demand back at its layer"] += self.current_player == self.layer
        elif not self.hands[self.current_player]:
            self.seen[f"empty hand: {move}"] += 1
        elif self.acted and self.phase == "play" and move in ("draw", "end"):
            self.seen[f"{move} after an action card"] += 1

    def note_force(self, move: str) -> None:
        if self.phase != "play" or not self.must_lay_what_it_can():
            return
        kind = "an action card" if self.acted else f"draw {self.drawn}"
        if not self.legal_lays():
            self.seen[f"nothing to lay after {kind}"] += 1
            return
        self.seen[f"forced after {kind}"] += 1
        self.seen["forced to lay gold"] += move == "lay gold"
        self.seen["forced to act"] += not any(lay.startswith("lay") for lay in self.legal_lays())
