"""Glücksgriff once more: slow, plain and written from the numbered rules alone.

It shares no code with the engine. Cards are their names in lists; rule ids stand beside what
they ask for. What chance decides is told from outside (`Chance`) and only checked here: that the
drawn cards were in the pile, that there are as many as the rule says, that a knock could be late.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

HIGHEST = 14  # G3.2: what a joker may stand for, whatever values the deck has


@dataclass
class BlankCard:
    """A blank card (G9)."""

    points: int
    effect: str
    amount: int = 1


# --- Chance, and what a round came to -----------------------------------------------------------
@dataclass
class Deal:
    """What the cards of a new round were."""

    hands: list[list[str]]
    turned_up: list[str]  # the whole discard pile, which must be a single card


@dataclass
class Chance:
    """What chance decided in one decision.

    hands: the hands after it, before a new deal; cards in them that nothing else explains were
    drawn. None, if they cannot be told, because the decision ended the round.
    points: then what the points of each hand after it may have been.
    late: whether a knock came too late (G5.7).
    deal: the cards of the round that the decision brought about, if it did.
    """

    hands: list[list[str]] | None = None
    points: list[set[int]] = field(default_factory=list)
    late: bool = False
    deal: Deal | None = None


@dataclass
class Result:
    """A round that is over: by how much each total rose, and whose rose least, if one did."""

    winner: int | None
    points: list[int]


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


# --- Cards --------------------------------------------------------------------------------------
def is_trick(card: str) -> bool:
    """Whether a card has a value; all others are special cards (G0.2, G9)."""
    return card.isdigit()


def value_at(cards: list[str], place: int) -> int:
    """What the card at a place of a run stands for, jokers too."""
    for index, card in enumerate(cards):
        if is_trick(card):
            return int(card) + place - index
    raise AssertionError(f"{cards} holds no natural card")


# --- The game -----------------------------------------------------------------------------------
class Reference:
    """One game. Fields are named as in the engine's positions; `pile` has no order."""

    def __init__(
        self,
        deck: list[str],
        players: int,
        deal: Deal,
        *,
        point_limit: int = 100,
        hand_size: int = 7,
        bluffing: bool = False,
        penalties: bool = False,
        late_knock: int = 0,
        last_turn: str = "optional",
        fend_off: str = "free",
        challenge_prize: str = "one",
        joker_knock: str = "strict",
        blanks: dict[str, BlankCard] | None = None,
        max_rounds: int = 0,
        max_turns: int = 0,
        max_decisions: int = 3000,
    ) -> None:
        self.deck = deck
        self.players = players
        self.point_limit = point_limit
        self.hand_size = hand_size
        self.bluffing = bluffing
        self.penalties = penalties
        self.late_knock = late_knock
        self.last_turn = last_turn
        self.fend_off = fend_off
        self.challenge_prize = challenge_prize
        self.joker_knock = joker_knock
        self.blanks = blanks or {}
        self.max_rounds = max_rounds
        self.max_turns = max_turns
        self.max_decisions = max_decisions

        self.over = False
        self.round = 1
        self.scores = [0] * players
        self.capped_rounds = 0
        self.result: Result | None = None  # of the round that the last decision ended
        self.seen: Counter[str] = Counter()  # things that happened
        self.chance = Chance()
        self.begin_round(deal)

    # --- Cards again ---
    def effect(self, card: str) -> str:
        return self.blanks[card].effect if card in self.blanks else ""

    def is_joker(self, card: str) -> bool:
        return card == "joker" or self.effect(card) == "joker"

    def worth(self, card: str) -> int:
        """G8.1."""
        if is_trick(card):
            return int(card)
        if card in self.blanks:
            return self.blanks[card].points
        return 20 if card == "hand" else 15

    def points(self, seat: int) -> int:
        return sum(self.worth(card) for card in self.hands[seat])

    def lowest(self, hand: list[str]) -> str:
        """The card that goes open before a Magic Hand (G7.1)."""
        order = ["hourglass", "joker", "hand", *sorted(self.blanks)]

        def rank(card: str) -> tuple[int, int]:
            return self.worth(card), 0 if is_trick(card) else 1 + order.index(card)

        return min(hand, key=rank)

    # --- Setting up (G1) ---
    def begin_round(self, deal: Deal) -> None:
        require(len(deal.hands) == self.players, "a hand for every player")
        for hand in deal.hands:
            require(len(hand) == self.hand_size, "G1.1: every hand has the same size")
        require(len(deal.turned_up) == 1, "G1.1: one card is turned up")
        self.hands = [list(hand) for hand in deal.hands]
        self.pile = without(self.deck, [*deal.turned_up, *(c for hand in self.hands for c in hand)])
        self.discard = list(deal.turned_up)  # from the bottom to the top
        self.layers: list[int | None] = [None]  # who laid the card (G4.4)
        self.last_play = 1
        self.run = False
        self.decisions = 0
        self.turns = 0
        self.front: list[str | None] = [None] * self.players
        self.sat_out = [0] * self.players
        self.must_sit_out = [0] * self.players
        self.caller: int | None = None
        self.turns_left = 0
        dealer = (self.players - 1 + self.round - 1) % self.players  # G1.2
        self.begin_turn((dealer + 1) % self.players)

    def begin_turn(self, seat: int) -> None:
        self.current_player = seat
        self.laid = 0
        self.laid_kind: str | None = None
        self.laid_low = 0
        self.drawn: str | None = None
        self.open: list[str | None] = [None] * self.players
        self.magician: int | None = None
        self.challenged: int | None = None
        self.sitting_out = False
        self.phase = "hourglass" if self.front[seat] else "play"

    # --- Piles ---
    def put_down(self, card: str, place: int | None = None) -> None:
        """Lay a card of the mover's hand on the discard pile (or at a place inside it)."""
        self.hands[self.current_player].remove(card)
        self.put(card, self.current_player, place)

    def put(self, card: str, layer: int | None, place: int | None = None) -> None:
        place = len(self.discard) if place is None else place
        self.discard.insert(place, card)
        self.layers.insert(place, layer)

    def extending(self) -> bool:
        return self.laid_kind in ("low", "high")

    def laid_cards(self) -> list[str]:
        """What was laid in this turn (no extension)."""
        return self.discard[len(self.discard) - self.laid :]

    def last_play_at(self) -> tuple[int, int]:
        """From where to where in the discard pile the cards lie that lay on top as the turn began.

        While they are extended, the new cards count as theirs.
        """
        end = len(self.discard) - (0 if self.extending() else self.laid)
        return end - self.last_play - (self.laid if self.extending() else 0), end

    def base(self) -> list[str]:
        start, end = self.last_play_at()
        return self.discard[start:end]

    def draw(self, seat: int, count: int) -> list[str]:
        """Move `count` cards from the pile into a hand, the ones that chance says."""
        before = len(self.pile)
        kept = len(self.discard)
        if count > before:  # G1.4
            mine = self.laid or self.last_play
            kept = self.last_play + self.laid if self.extending() else mine
        under = self.discard[: len(self.discard) - kept]
        count = min(count, before + len(under))
        if self.chance.hands is None:
            got = self.cards_worth(seat, count, [*self.pile, *under])
        else:
            got = list((Counter(self.chance.hands[seat]) - Counter(self.hands[seat])).elements())
        require(len(got) == count, f"{got} drawn by {seat}, but {count} cards had to be")
        self.hands[seat] += got
        if under:
            self.seen["pile used up"] += 1
            self.seen[f"pile used up in phase {self.phase}"] += 1
            self.seen["pile used up while taking"] += before > 0
            # The cards of the old pile are all drawn before the new one is touched.
            if before:
                require(not Counter(self.pile) - Counter(got), "G1.4: first the pile is used up")
            self.pile = [*self.pile, *under]
            del self.discard[: len(under)], self.layers[: len(under)]
            if self.laid and not self.extending():
                self.last_play, self.run = 0, False
        elif count == 0:
            self.seen["nothing to draw"] += 1
        self.pile = without(self.pile, got)
        return got

    def cards_worth(self, seat: int, count: int, pile: list[str]) -> list[str]:
        """One card of the pile that makes a hand what it was worth when the round ended."""
        if count == 0:
            return []
        known, told = self.points(seat), self.chance.points[seat]
        fitting = [card for card in pile if known + self.worth(card) in told]
        require(count == 1 and fitting != [], f"seat {seat} had {known} points, then {told}")
        return fitting[:1]

    # --- What may be done ---
    def legal(self) -> set[str]:
        """The names of all legal moves."""
        if self.over:
            return set()
        hand = self.hands[self.current_player]
        if self.phase == "hourglass":
            moves = {"sit out"}  # G6.3
            if not self.must_sit_out[self.current_player]:  # G6.6
                if "hourglass" in hand:
                    moves.add("fend off")  # G6.4
                if self.penalties:
                    moves.add("play on")
            return moves
        if self.phase == "play":
            return self.legal_starts()
        if self.phase == "lay":
            return self.legal_after_lay()
        if self.phase == "extend":
            moves = self.legal_extensions()
            return moves | {"knock"} if self.extends_enough() else moves
        if self.phase == "drawn":
            return {"keep"} | self.legal_drawn_knocks()
        return self.legal_in_magic()

    def legal_in_magic(self) -> set[str]:
        """While a Magic Hand is played, and how a turn ends that gave something to a player."""
        if self.phase == "open":
            return {f"open {card}" for card in self.hands[self.current_player]}  # G7.4
        grabs = (
            set()
            if self.challenged is None
            else {f"grab {card}" for card in self.hands[self.challenged]}
        )
        if self.phase == "grab":  # G7.5: and then one card of the deceiver's hand
            return grabs
        moves = {"draw"} | self.legal_takes()  # G4.1, G6.1
        if self.phase == "giving":
            return moves
        lying = [steps for steps in range(1, self.players) if self.open[self.at(steps)]]
        moves |= {f"pick +{steps}" for steps in lying}  # G7.2
        if self.phase == "magic" and self.bluffing:
            moves |= {f"challenge +{steps}" for steps in lying}  # G7.4
        return moves | grabs if self.challenge_prize == "one" else moves  # G7.5

    def at(self, steps: int) -> int:
        """The seat so many steps clockwise of the mover."""
        return (self.current_player + steps) % self.players

    def targets(self) -> list[int]:
        """Whom an hourglass may be given, as steps (G6.2)."""
        last = self.players if self.caller is None else self.turns_left
        return [
            steps
            for steps in range(1, last)
            if self.front[self.at(steps)] is None and not self.sat_out[self.at(steps)]
        ]

    def legal_starts(self) -> set[str]:
        hand = self.hands[self.current_player]
        moves = set()
        for card in hand:
            if is_trick(card) or card == "joker":  # G3.1, G3.3
                moves.add(f"lay {card}")
            elif card == "hourglass":
                given = {f"hourglass +{steps}" for steps in self.targets()}
                moves |= given or {"lay hourglass"}  # G6.1, G6.7
            elif card == "hand":
                moves.add("hand" if self.caller is None else "lay hand")  # G7.1, G7.7
            else:
                moves |= {f"lay {card}"} | self.legal_effects(card)
        if self.caller is None and (self.points(self.current_player) < 7 or self.penalties):
            moves.add("call")  # G8.2, G8.5
        if self.caller is not None and self.last_turn == "optional":
            moves.add("decline")  # G8.2
        if self.run:
            moves |= self.legal_extensions()  # G5.2
        return moves

    def legal_effects(self, card: str) -> set[str]:
        """A blank with an effect on a player (G9)."""
        effect = self.effect(card)
        if effect == "sit_out":
            return {f"{card} +{steps}" for steps in self.targets()}
        if effect == "swap" and len(self.hands[self.current_player]) == 1:
            return set()
        if effect in ("look", "draw", "swap"):
            return {f"{card} +{steps}" for steps in range(1, self.players)}
        return set()

    def legal_takes(self) -> set[str]:
        cards = self.base()
        if not cards:
            return set()
        start, end = self.last_play_at()
        ends = {"take low": start, "take high": end - 1} if self.run else {"take": end - 1}  # G4.2
        return {
            name
            for name, place in ends.items()
            if is_trick(self.discard[place])  # G4.3, G4.5
            and self.layers[place] != self.current_player  # G4.4
        }

    def legal_after_lay(self) -> set[str]:
        cards, hand = self.laid_cards(), self.hands[self.current_player]
        finish = {"draw"} | self.legal_takes()  # G4.1
        if self.laid_kind == "special":
            return finish
        if self.laid_kind == "set" and self.may_knock(cards):
            finish.add("knock")  # G5.1
        if self.laid_kind == "run" and len(cards) < 3:
            finish = set()  # G3.1
        moves = set()
        if self.laid_kind == "set":
            for card in hand:
                if self.is_set([*cards, card]):
                    moves.add(f"add {card}")
        if self.laid_kind == "run" or len(cards) == 1:
            for card in hand:
                if self.becomes_run([*cards, card], without(hand, [card])):
                    moves.add(f"run {card}")
        return moves | finish

    def is_set(self, cards: list[str]) -> bool:
        """G3.1, G3.2."""
        values = {card for card in cards if is_trick(card)}
        return len(values) == 1 and self.are_playable(cards)

    def are_playable(self, cards: list[str]) -> bool:
        """Trick cards and jokers, of which no two are neighbours (G3.2)."""
        pairs = pairwise(cards)
        return all(is_trick(card) or self.is_joker(card) for card in cards) and not any(
            self.is_joker(card) and self.is_joker(other) for card, other in pairs
        )

    def is_part_of_run(self, cards: list[str]) -> bool:
        """Whether these are consecutive values, all of them in 0-14 (G3.1, G3.2)."""
        if not self.are_playable(cards) or not any(is_trick(card) for card in cards):
            return False
        low = value_at(cards, 0)
        return (
            low >= 0
            and low + len(cards) - 1 <= HIGHEST
            and all(not is_trick(card) or int(card) == low + i for i, card in enumerate(cards))
        )

    def becomes_run(self, cards: list[str], hand: list[str]) -> bool:
        """Whether these cards are a run, or the low end of one that the hand completes."""
        if not self.is_part_of_run(cards):
            return False
        return len(cards) >= 3 or any(
            self.becomes_run([*cards, card], without(hand, [card])) for card in set(hand)
        )

    def may_knock(self, cards: list[str]) -> bool:
        """G5.1, G5.3: whether a single or a set may be knocked on what lay on top."""
        base = self.base()
        if self.run or not base:
            return False
        if is_trick(base[-1]):
            return {card for card in cards if is_trick(card)} in ({base[-1]}, set())
        is_set = len(base) >= 2 and self.is_joker(base[-1])
        value = {card for card in base if is_trick(card)}
        return self.joker_knock == "wide" and is_set and set(cards) == value  # G5.3

    def extends_enough(self) -> bool:
        """Whether the run has been extended enough to knock (G5.2), or by a joker alone (G5.3)."""
        if self.laid >= 2:
            return True
        start, end = self.last_play_at()
        joker = self.is_joker(self.discard[start if self.laid_kind == "low" else end - 1])
        return self.joker_knock != "strict" and joker

    def legal_extensions(self) -> set[str]:
        sides = ("high",) if self.laid_kind == "high" else ("low", "high")
        hand = self.hands[self.current_player]
        return {
            side if is_trick(card) else f"{side} {card}"
            for side in sides
            for card in hand
            if self.may_extend(self.base(), side, card, hand, self.laid)
        }

    def may_extend(
        self, cards: list[str], side: str, card: str, hand: list[str], added: int
    ) -> bool:
        """Whether a card fits at a side and two cards in all can be added (G5.2)."""
        cards = [card, *cards] if side == "low" else [*cards, card]
        if not self.is_part_of_run(cards):
            return False
        hand = without(hand, [card])
        sides = ("low", "high") if side == "low" else ("high",)
        alone = self.joker_knock != "strict" and self.is_joker(card)  # G5.3
        return (
            added + 1 >= 2
            or alone
            or any(
                self.may_extend(cards, more, other, hand, added + 1)
                for more in sides
                for other in set(hand)
            )
        )

    def legal_drawn_knocks(self) -> set[str]:
        """G5.4."""
        assert self.drawn is not None
        cards = self.laid_cards()
        if self.laid_kind == "set":
            return {"knock"} if self.is_set([*cards, self.drawn]) else set()
        moves = set()
        if self.is_part_of_run([self.drawn, *cards]):
            moves.add("knock low")
        if self.is_part_of_run([*cards, self.drawn]):
            moves.add("knock high")
        return moves

    # --- Doing it ---
    def play(self, move: str, chance: Chance) -> None:
        """Play a legal move. Raises ImpossibleChanceError if chance cannot have been so."""
        assert move in self.legal(), f"{move} is not legal"
        self.chance = chance
        self.result = None
        self.decisions += 1
        self.seen[self.phase] += 1
        in_phase = {
            "play": self.start_turn,
            "lay": self.go_on_laying,
            "extend": self.go_on_extending,
            "drawn": self.decide_on_drawn,
            "hourglass": self.answer_hourglass,
            "giving": self.finish_giving,
            "open": self.lay_open,
        }
        in_phase.get(self.phase, self.do_magic)(move)
        if self.result is None and self.decisions == self.max_decisions:  # G8.9
            self.capped_rounds += 1
            self.seen["round capped"] += 1
            self.seen[f"capped in phase {self.phase}"] += 1
            self.seen["capped after a call"] += self.caller is not None
            self.score_round(capped=True)
        if self.result is not None:
            self.end_round(chance.deal)
        else:
            require(chance.deal is None, "no new deal before the round is over")

    def start_turn(self, move: str) -> None:
        word, _, rest = move.partition(" ")
        if word == "lay":
            self.put_down(rest)
            self.laid = 1
            self.laid_kind = "set" if is_trick(rest) or self.is_joker(rest) else "special"
            self.phase = "lay"
            self.seen[f"{rest} laid as a plain card"] += self.laid_kind == "special"
        elif word in ("low", "high"):
            self.seen["extension of one's own run"] += (
                self.current_player in self.layers[-self.last_play :]
            )
            self.go_on_extending(move)
        elif word == "call":
            self.call()
        elif word == "decline":
            self.seen["declined"] += 1
            self.seen["declined with cards on top"] += self.last_play > 1
            self.end_turn()
        elif word == "hand":
            self.begin_magic()
        else:
            self.give(word, self.at(int(rest)))

    def give(self, card: str, seat: int) -> None:
        """An hourglass, or a blank with an effect on a player (G6.1, G9)."""
        effect = self.effect(card)
        self.seen[f"{effect or card} given"] += 1
        self.seen[f"{effect or card} given after a call"] += self.caller is not None
        self.phase = "giving"
        if card == "hourglass" or effect == "sit_out":
            self.hands[self.current_player].remove(card)
            self.front[seat] = card
            return
        self.put_down(card)
        self.laid = 1
        self.laid_kind = "special"
        if effect == "draw":
            self.draw(seat, self.blanks[card].amount)
        elif effect == "swap":
            mine, other = self.hands[self.current_player], self.hands[seat]
            self.hands[self.current_player], self.hands[seat] = other, mine

    def go_on_laying(self, move: str) -> None:
        word, _, card = move.partition(" ")
        if word in ("add", "run"):
            self.put_down(card)
            self.laid += 1
            self.laid_kind = "set" if word == "add" else "run"
            self.seen[f"{self.laid_kind} of {self.laid}"] += 1
        elif move == "knock":
            self.seen["knock with several cards"] += self.laid > 1
            self.seen["knock on a joker"] += not is_trick(self.base()[-1])
            self.seen["knock on one's own card"] += (
                self.layers[self.last_play_at()[1] - 1] == self.current_player
            )
            self.knock()
        elif move == "draw":
            asked = self.asks_after_drawing()
            got = self.take(move)
            if got is not None and asked:
                self.drawn = got
                self.phase = "drawn"
                return
            self.seen["not asked: a joker on top"] += got is not None
            self.end_turn()
        else:
            self.take(move)
            self.end_turn()

    def asks_after_drawing(self) -> bool:
        """Whether a drawn card might be knocked with at all (G5.4, G5.3)."""
        if self.laid_kind == "set":
            wide = self.joker_knock == "wide" and self.laid >= 2
            return is_trick(self.discard[-1]) or wide
        return self.laid_kind == "run"

    def take(self, move: str) -> str | None:
        """Take the card that a turn ends with (G4); returns it, or None if there is none."""
        if move == "draw":
            got = self.draw(self.current_player, 1)
            return got[0] if got else None
        start, end = self.last_play_at()
        place = start if move == "take low" else end - 1
        card = self.discard.pop(place)
        self.layers.pop(place)
        self.hands[self.current_player].append(card)
        self.seen[move] += 1
        self.last_play -= 1
        if self.run and self.last_play < 3:
            self.run = False
        if not self.run:
            self.last_play = min(1, len(self.discard) - self.laid)  # G4.6
        if self.laid == 0:
            self.seen["taken and nothing laid over it"] += 1
            self.seen["discard pile used up"] += not self.discard
            self.seen["run of three or more left"] += self.run
        return card

    def finish_giving(self, move: str) -> None:
        self.take(move)
        self.end_turn()

    def go_on_extending(self, move: str) -> None:
        """G5.2."""
        if move == "knock":
            self.seen["knock of a joker alone on a run"] += self.laid == 1
            self.knock()
            return
        side, _, joker = move.partition(" ")
        start, end = self.last_play_at()
        cards = self.discard[start:end]
        if side == "low":
            card = joker or str(value_at(cards, 0) - 1)
            self.put_down(card, start)
            self.laid_low += 1
        else:
            card = joker or str(value_at(cards, len(cards) - 1) + 1)
            self.put_down(card)
        self.laid += 1
        self.laid_kind = side
        self.phase = "extend"

    def knock(self) -> None:
        """G5: nothing is taken; the turn is over."""
        self.seen["knock"] += 1
        self.seen[f"knock after {self.laid_kind}"] += 1
        self.be_late()
        self.end_turn()

    def be_late(self) -> None:
        """G5.7: one card for a knock that came too late, at once."""
        late = self.chance.late or self.late_knock == 100
        require(not late or self.late_knock > 0, "G5.7: no knock is late without the option")
        if late:
            self.seen["late knock"] += 1
            self.seen["late knock with the last card"] += not self.hands[self.current_player]
            self.draw(self.current_player, 1)

    def decide_on_drawn(self, move: str) -> None:
        card = self.drawn
        assert card is not None
        if move == "keep":
            self.seen["drawn card kept that fits"] += self.legal_drawn_knocks() != set()
            self.end_turn()
            return
        low = move == "knock low"
        self.seen["drawn: knock on a joker"] += move == "knock" and not is_trick(self.discard[-1])
        self.put_down(card, len(self.discard) - self.laid if low else None)
        self.laid += 1
        self.drawn = None
        self.seen[f"drawn: {move}"] += 1
        self.seen[f"drawn: {move} joker"] += not is_trick(card)
        self.knock()

    def answer_hourglass(self, move: str) -> None:
        card = self.front[self.current_player]
        assert card is not None
        self.seen[move] += 1
        if move == "play on":  # G6.6
            self.must_sit_out[self.current_player] = 1
            self.draw(self.current_player, 1)
            self.phase = "play"
            return
        self.front[self.current_player] = None
        self.put(card, None)
        self.last_play, self.run = 1, False
        if move == "sit out":  # G6.3
            self.seen["forced to sit out"] += self.must_sit_out[self.current_player]
            self.must_sit_out[self.current_player] = 0
            self.sitting_out = True
            self.end_turn()
            return
        self.put_down("hourglass")  # G6.4
        self.last_play = 2
        self.be_late()
        if self.fend_off == "turn":
            self.seen["fending off as the last turn"] += self.caller is not None
            self.end_turn()
        elif self.hands[self.current_player]:
            self.phase = "play"
        else:
            self.seen["round ended by fending off"] += 1
            self.score_round()

    # --- The Magic Hand (G7) ---
    def begin_magic(self) -> None:
        # It goes on the discard pile at the end (G7.3, G7.6): until then the last play stays.
        self.hands[self.current_player].remove("hand")
        self.magician = self.current_player
        self.seen["hand"] += 1
        if self.bluffing:  # G7.4
            self.phase = "open"
            self.current_player = self.at(1)
            return
        for steps in range(1, self.players):
            seat = self.at(steps)
            self.put_open(seat, self.lowest(self.hands[seat]))
        self.phase = "magic"

    def put_open(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.open[seat] = card
        self.seen["only card laid open"] += not self.hands[seat]
        self.seen["special card laid open"] += not is_trick(card)

    def lay_open(self, move: str) -> None:
        self.put_open(self.current_player, move.removeprefix("open "))
        self.current_player = self.at(1)
        if self.current_player == self.magician:
            self.phase = "magic"

    def do_magic(self, move: str) -> None:
        word, _, rest = move.partition(" ")
        self.seen[f"magic: {word}"] += 1
        if word == "challenge":
            self.challenge(self.at(int(rest)))
            return
        if word == "pick":
            seat = self.at(int(rest))
            card = self.open[seat]
            assert card is not None
            self.open[seat] = None
            self.hands[self.current_player].append(card)
            if self.phase == "prize" and self.challenge_prize == "both":
                self.phase = "grab"
                return
        elif word == "grab":
            self.seen["grabbed after an open card"] += self.phase == "grab"
            assert self.challenged is not None
            self.hands[self.challenged].remove(rest)
            self.hands[self.current_player].append(rest)
        else:
            self.take(move)
        others = [self.at(steps) for steps in range(1, self.players)]
        for seat in others:  # G7.3
            card = self.open[seat]
            if card is not None:
                self.put(card, seat)
        self.open = [None] * self.players
        self.put_hand()
        for seat in others:
            self.draw(seat, 1)
        self.end_turn()

    def put_hand(self) -> None:
        self.put("hand", self.current_player)
        self.laid, self.laid_kind = 1, "special"

    def challenge(self, seat: int) -> None:
        shown = self.open[seat]
        assert shown is not None
        if any(self.worth(card) < self.worth(shown) for card in self.hands[seat]):  # G7.5
            self.seen["challenge right"] += 1
            self.challenged = seat
            self.draw(seat, max(0, self.hand_size - len(self.hands[seat])))
            self.phase = "prize"
            return
        self.seen["challenge wrong"] += 1
        self.draw(self.current_player, 2)  # G7.6
        for other, card in enumerate(self.open):
            if card is not None:
                self.hands[other].append(card)
        self.open = [None] * self.players
        self.put_hand()
        self.end_turn()

    # --- The end of a turn and of a round (G8) ---
    def call(self) -> None:
        if self.points(self.current_player) >= 7:  # G8.5
            self.seen["call with seven or more"] += 1
            self.write([50 if seat == self.current_player else 0 for seat in range(self.players)])
            return
        self.seen["call"] += 1
        self.caller = self.current_player
        self.turns_left = self.players  # G8.2; the call's own turn is about to be taken off
        self.end_turn()

    def end_turn(self) -> None:
        if self.extending():
            self.last_play, self.run = self.last_play + self.laid, True
        elif self.laid:
            self.last_play, self.run = self.laid, self.laid_kind == "run"
        self.sat_out[self.current_player] = int(self.sitting_out)
        self.turns += 1
        if self.caller is not None:
            self.turns_left -= 1
        if not all(self.hands):  # G5.6, G8.6, G1.4
            self.seen["round ended by an empty hand"] += 1
            self.seen["empty hand after a call"] += self.caller is not None
            self.seen["empty hand of another"] += bool(self.hands[self.current_player])
            self.score_round()
        elif self.caller is not None and self.turns_left == 0:
            self.seen["last turns beyond the cap"] += 0 < self.max_turns < self.turns
            self.score_round()
        elif self.caller is None and self.turns == self.max_turns:  # G8.9; 0: no cap
            self.seen["turns over"] += 1
            self.score_round()
        else:
            self.begin_turn(self.at(1))

    def score_round(self, *, capped: bool = False) -> None:
        points = [self.points(seat) for seat in range(self.players)]
        if self.caller is not None:
            own = points[self.caller]
            others = [points[seat] for seat in range(self.players) if seat != self.caller]
            right = all(other > own for other in others)  # G8.3, G8.4
            self.seen["right call" if right else "wrong call"] += 1
            points[self.caller] = 0 if right else 30
        self.write(points, capped=capped)

    def write(self, points: list[int], *, capped: bool = False) -> None:
        before = self.scores
        self.scores = [total + more for total, more in zip(before, points, strict=True)]
        for seat, more in enumerate(points):
            if more and self.scores[seat] % 50 == 0:  # G8.7
                self.scores[seat] //= 2
                self.seen["halved"] += 1
            elif self.scores[seat] and self.scores[seat] % 50 == 0:
                self.seen["nothing written, nothing halved"] += 1
        rises = [total - old for total, old in zip(self.scores, before, strict=True)]
        alone = rises.count(min(rises)) == 1 and not capped
        self.result = Result(rises.index(min(rises)) if alone else None, rises)

    def end_round(self, deal: Deal | None) -> None:
        if max(self.scores) > self.point_limit or self.round == self.max_rounds:  # G8.8
            self.over = True
            self.seen["rounds over"] += max(self.scores) <= self.point_limit
            self.seen["shared win"] += self.scores.count(min(self.scores)) > 1
            require(deal is None, "G8.8: no round after the last")
            return
        require(deal is not None, "a new round needs a deal")
        assert deal is not None
        self.round += 1
        self.begin_round(deal)

    def win_shares(self) -> list[float]:
        """Each seat's share of the win (G8.8)."""
        best = min(self.scores)
        winners = self.scores.count(best)
        return [1 / winners if score == best else 0.0 for score in self.scores]
