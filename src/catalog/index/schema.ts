/** Raised with every change of the tables or of what they store; part of the file's name. */
export const INDEX_VERSION = 14;

/** Drops an older table and creates a new one. */
export const SCHEMA = `
DROP TABLE IF EXISTS session;

-- One row for each session file.
CREATE TABLE session (
	id INTEGER PRIMARY KEY AUTOINCREMENT, -- never reused
	root TEXT NOT NULL,           -- the root or the custom directory where it was found
	path TEXT NOT NULL,
	dev REAL NOT NULL,            -- not whole numbers: an inode's number may be larger than Node reads those
	ino REAL NOT NULL,
	size INTEGER NOT NULL,        -- of the file when it was read
	mtime REAL NOT NULL,
	ctime REAL NOT NULL,          -- -1 when the file must be looked at again
	created REAL NOT NULL,        -- in milliseconds: the older one of several sessions counts the cost that they share
	modified REAL NOT NULL,       -- the list's sort key, in milliseconds
	change INTEGER NOT NULL,      -- grows with every write to the index, so that readers can query what is new
	damaged INTEGER NOT NULL,     -- 1 if something of the session is lost
	counted_size INTEGER NOT NULL DEFAULT -1, -- size and time of the file when its numbers were counted
	counted_mtime REAL NOT NULL DEFAULT -1,
	accents INTEGER,              -- whether it may have letters with accents, see accents-mark.ts; NULL when not counted
	counts TEXT,                  -- what the list shows of the numbers, as JSON, of the file as it was counted last
	counts_check INTEGER,         -- checksum of path and counts
	row TEXT NOT NULL,            -- what the list shows, as JSON
	state TEXT NOT NULL,          -- where to continue when the file grows, as JSON, without what \`row\` has
	fingerprint TEXT NOT NULL,    -- of the bytes that were read, to distinguish growth from any other change
	row_check INTEGER NOT NULL,   -- checksums, see checksum.ts: of path and row
	state_check INTEGER NOT NULL, -- of path, state and fingerprint
	numbers TEXT,                 -- sizes, tokens and cost, as JSON, see src/catalog/stats
	own BLOB,                     -- hashes of the paid entries that are counted for this session, eight bytes each
	others BLOB,                  -- the same of those that another session counts; NULL for none
	numbers_check INTEGER,        -- checksum of the three
	UNIQUE (root, path)
);
CREATE INDEX session_recent ON session (root, modified DESC);
CREATE INDEX session_change ON session (change);
PRAGMA user_version = ${INDEX_VERSION};
`;
