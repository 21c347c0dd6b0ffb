/** Raised with every change of the tables or of what is stored in them; part of the file's name. */
export const INDEX_VERSION = 9;

/** Drops whatever was there and makes the table. */
export const SCHEMA = `
DROP TABLE IF EXISTS session;

-- One row for each session file.
CREATE TABLE session (
	id INTEGER PRIMARY KEY AUTOINCREMENT, -- never given to another one later
	root TEXT NOT NULL,           -- the root or the custom directory that it was found in
	path TEXT NOT NULL,
	dev INTEGER NOT NULL,
	ino INTEGER NOT NULL,
	size INTEGER NOT NULL,        -- of the file when it was read
	mtime REAL NOT NULL,
	created REAL NOT NULL,        -- in milliseconds: who is older counts what several sessions hold
	modified REAL NOT NULL,       -- the list's sort key, in milliseconds
	change INTEGER NOT NULL,      -- grows with every write to the index, so that readers can ask for what is new
	damaged INTEGER NOT NULL,     -- whether something of the session is lost
	counted_size INTEGER NOT NULL DEFAULT -1, -- the file's size and time when its numbers were counted
	counted_mtime REAL NOT NULL DEFAULT -1,
	row TEXT NOT NULL,            -- what the list shows, as JSON
	state TEXT NOT NULL,          -- to go on reading from when the file grows, as JSON, without what \`row\` has
	fingerprint TEXT NOT NULL,    -- of the bytes before that offset, to tell growth from replacement
	numbers TEXT,                 -- what the session holds and cost, as JSON, see src/catalog/stats
	own BLOB,                     -- hashes of the paid entries that are counted for this session, eight bytes each
	others BLOB,                  -- the same of those that it holds as well, but another one counts; NULL for none
	UNIQUE (root, path)
);
CREATE INDEX session_recent ON session (root, modified DESC);
CREATE INDEX session_change ON session (change);
PRAGMA user_version = ${INDEX_VERSION};
`;
