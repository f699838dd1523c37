-- The schema of a store of games. A store is read only if its schema is this, to the letter: when
-- the same tables are to mean something else, change a comment inside a table.

CREATE TABLE metadata (
    game TEXT NOT NULL,
    rules TEXT NOT NULL             -- JSON: settings of the game by name, without num_players
) STRICT;
CREATE TABLE agents (
    agent INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    fingerprint TEXT NOT NULL,      -- of a checkpoint's weights, else empty
    UNIQUE (name, fingerprint)
) STRICT;
CREATE TABLE runs (
    run INTEGER PRIMARY KEY,
    config TEXT,                    -- of a tournament, JSON: agents, numbers of players, deals, seed, format
    begun INTEGER CHECK (begun BETWEEN 0 AND 99999999999),  -- of a single game: seconds since 1970
    deals INTEGER NOT NULL CHECK (deals BETWEEN 0 AND 1000000),  -- played so far
    finished INTEGER NOT NULL CHECK (finished IN (0, 1)),   -- 1 when nothing is left to play
    CHECK ((config IS NULL) <> (begun IS NULL))
) STRICT;
CREATE TABLE games (
    game INTEGER PRIMARY KEY CHECK (game BETWEEN 1 AND 1000000000000),
    run INTEGER NOT NULL REFERENCES runs,
    deal INTEGER NOT NULL CHECK (deal >= 0),
    players INTEGER NOT NULL,
    seed TEXT NOT NULL CHECK (      -- 0 to 2**64 - 1, more than SQLite's integers hold
        seed NOT GLOB '*[^0-9]*' AND length(seed) BETWEEN 1 AND 20
        AND (length(seed) < 20 OR seed <= '18446744073709551615')
    ),
    capped INTEGER NOT NULL CHECK (capped IN (0, 1)),       -- 1 when a round reached the cap on decisions
    forfeiter INTEGER CHECK (forfeiter BETWEEN 0 AND players - 1),  -- seat of the agent at fault, or NULL
    fault TEXT,                     -- code of what it did wrong
    details TEXT,                   -- JSON object of the values for its text
    actions BLOB NOT NULL,          -- one unsigned number each, little-endian
    CHECK ((forfeiter IS NULL) = (fault IS NULL) AND (forfeiter IS NULL) = (details IS NULL))
) STRICT;
CREATE INDEX games_by_run ON games (run, players, deal);
CREATE TABLE seats (
    game INTEGER NOT NULL REFERENCES games,
    seat INTEGER NOT NULL CHECK (seat >= 0),
    agent INTEGER NOT NULL REFERENCES agents,
    points REAL CHECK (abs(points) < 1e9),                  -- NULL in a forfeited game
    win_share REAL NOT NULL CHECK (win_share BETWEEN 0 AND 1),
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE counts (               -- statistics of a seat that are not zero
    game INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    statistic TEXT NOT NULL,
    count INTEGER NOT NULL CHECK (count BETWEEN 1 AND 2147483647),
    PRIMARY KEY (game, seat, statistic),
    FOREIGN KEY (game, seat) REFERENCES seats
) STRICT, WITHOUT ROWID;
CREATE TABLE endings (              -- how the rounds of a game ended
    game INTEGER NOT NULL REFERENCES games,
    ending TEXT NOT NULL,
    count INTEGER NOT NULL CHECK (count BETWEEN 1 AND 2147483647),
    PRIMARY KEY (game, ending)
) STRICT, WITHOUT ROWID;
CREATE TABLE score_sheets (         -- a seat's points in a game by entry, where not zero
    game INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    entry TEXT NOT NULL,
    points REAL NOT NULL CHECK (abs(points) < 1e9),
    PRIMARY KEY (game, seat, entry),
    FOREIGN KEY (game, seat) REFERENCES seats
) STRICT, WITHOUT ROWID;
CREATE TABLE decision_times (       -- time spent in `act`, by shard
    run INTEGER NOT NULL REFERENCES runs,
    shard INTEGER NOT NULL,
    players INTEGER NOT NULL,
    agent INTEGER NOT NULL REFERENCES agents,
    decisions INTEGER NOT NULL CHECK (decisions BETWEEN 0 AND 1000000000000),
    seconds REAL NOT NULL CHECK (seconds BETWEEN 0 AND 1e9),
    PRIMARY KEY (run, shard, players, agent)
) STRICT, WITHOUT ROWID;
