import { TIERS } from "../query/kinds.ts";

/** Raised with every change of the tables or of what is stored in them; an index of another version is built anew. */
export const INDEX_VERSION = 7;

/** Drops whatever an older version left and makes the tables. */
export const SCHEMA = `
DROP TABLE IF EXISTS session;
DROP TABLE IF EXISTS block;
${TIERS.map((tier) => `DROP TABLE IF EXISTS block${tier};`).join("\n")}
DROP TABLE IF EXISTS block_filter;
DROP TABLE IF EXISTS entries;
DROP TABLE IF EXISTS tool;

-- One row for each session file.
CREATE TABLE session (
	id INTEGER PRIMARY KEY,
	place TEXT NOT NULL,          -- the root or the custom directory that it was found in
	path TEXT NOT NULL,
	dev INTEGER NOT NULL,
	ino INTEGER NOT NULL,
	size INTEGER NOT NULL,        -- of the file when it was read
	mtime REAL NOT NULL,
	modified REAL NOT NULL,       -- the list's sort key, in milliseconds
	change INTEGER NOT NULL,      -- grows with every write to the index, so that readers can ask for what is new
	row TEXT NOT NULL,            -- what the list shows, as JSON
	state TEXT NOT NULL,          -- to go on reading from when the file grows, as JSON
	mark TEXT NOT NULL,           -- hash of the bytes before that place, to tell growth from replacement
	text_state TEXT,              -- the same for the searchable text; NULL: none has been stored yet
	text_size INTEGER NOT NULL DEFAULT -1, -- the file's size and time when its text was stored
	text_mtime REAL NOT NULL DEFAULT -1,
	stats TEXT,                   -- counts for the statistics, as JSON
	UNIQUE (place, path)
);
CREATE INDEX session_recent ON session (place, modified DESC);
CREATE INDEX session_change ON session (change);

-- The searchable text of a session in pieces, see src/catalog/texts/block.ts. A table for each tier, so that those that
-- are read with every key lie together: 0: names, labels, titles; 1: what was said, …; 2: thinking and tool output.
${TIERS.map(
	(tier) => `CREATE TABLE block${tier} (
	session INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	segments BLOB NOT NULL,
	text BLOB NOT NULL,
	PRIMARY KEY (session, seq)
);`,
).join("\n")}
-- Which pairs and trigrams may be in a block, so that most blocks need not be looked at.
CREATE TABLE block_filter (
	tier INTEGER NOT NULL,
	session INTEGER NOT NULL,
	seq INTEGER NOT NULL,
	bits BLOB NOT NULL,
	PRIMARY KEY (tier, session, seq)
) WITHOUT ROWID;
-- The entries of a session in file order, see src/catalog/texts/entry-list.ts.
CREATE TABLE entries (session INTEGER PRIMARY KEY, list BLOB NOT NULL);
CREATE TABLE tool (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
PRAGMA user_version = ${INDEX_VERSION};
`;
