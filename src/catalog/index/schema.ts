import { ROW_FACTS } from "../scan/row-facts.ts";

/**
 * What a session has that may be a run although its path does not say so: a name such as `writer#8ec55da3` or
 * `subagent-scout-<id>-1`, or an entry about the run; and one that tells of a run which may be elsewhere than below itself. Some other
 * sessions have such a name, too. The same text in a query lets SQLite use the index `session_naming`.
 */
export const MAY_NAME_RUNS = `(row GLOB '*"name":"*#????????"*' OR (row GLOB '*"name":"subagent-*'
	AND path NOT GLOB '*[/\\]run-[0-9]*' AND path NOT GLOB '*[/\\]forks[/\\]*' AND path NOT GLOB '*[/\\]async-*')
	OR row GLOB '*"ownRun":{*' OR instr(row, '"tells":true') > 0 OR elsewhere = 1)`;

/** Whether the counts of a session have reports of runs of subagents, or commands that start pi. The same text lets SQLite use the index `session_asking`. */
export const HAS_RUN_REPORTS = `(instr(counts, '"runs":[') > 0 OR instr(counts, '"started":[') > 0)`;

/** Must be raised with every change of the tables or of what they store, but for a new fact of a row. */
const TABLES_VERSION = 41;
/** Part of the file's name: another one for other tables, and for another number of facts. */
export const INDEX_VERSION = TABLES_VERSION * 100 + Object.keys(ROW_FACTS).length;

/** Drops older tables and creates new ones. */
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
	ctime REAL NOT NULL,          -- -1 if the file must be read again
	created REAL NOT NULL,        -- in milliseconds: of several sessions, the oldest counts the cost that they share
	modified REAL NOT NULL,       -- the list's sort key, in milliseconds
	change INTEGER NOT NULL,      -- grows with every write to the index, so that readers can query what is new
	damaged INTEGER NOT NULL,     -- 1 if something of the session is lost
	hidden INTEGER,               -- whether it has characters that do not show, see src/catalog/search; NULL until a search has looked
	counted_size INTEGER NOT NULL DEFAULT -1, -- size and time of the file when its numbers were counted
	counted_mtime REAL NOT NULL DEFAULT -1,
	counts TEXT,                  -- what the list shows of the numbers, as JSON, as of the last count of the file
	counted_change INTEGER,       -- grows with every count of a whole file, so that readers can query what is new
	elsewhere INTEGER NOT NULL DEFAULT 0, -- 1 if they report a run whose session may be elsewhere than below this one
	row TEXT NOT NULL,            -- what the list shows, as JSON
	state TEXT NOT NULL,          -- where to continue when the file grows, as JSON, without what \`row\` has
	fingerprint TEXT NOT NULL,    -- of the bytes that were read, to distinguish growth from any other change
	crc INTEGER,                  -- CRC-32 of the same bytes; NULL if it was not computed: they must be read again if they change
	numbers TEXT,                 -- sizes, tokens and cost, as JSON, see src/catalog/stats
	own BLOB,                     -- hashes of the entries that are paid, or report runs, and count for this session, eight bytes each
	others BLOB,                  -- the same of those that count for another session; NULL for none
	UNIQUE (root, path)
);
-- Whether the list is as it was, what it prints first, and what a search asks of all files: read without the rows, in a third of the
-- time.
CREATE INDEX session_listed ON session (root, path, dev, ino, size, mtime, ctime, modified, damaged, hidden);
CREATE INDEX session_recent ON session (root, modified DESC);
CREATE INDEX session_change ON session (change);
CREATE INDEX session_counted ON session (root, counted_change);
-- The few sessions that may be runs, or tell of some, of which no path says so: a list need not read all rows to find that there are none.
CREATE INDEX session_naming ON session (root) WHERE ${MAY_NAME_RUNS};
-- The few sessions that have asked for runs, for the same.
CREATE INDEX session_asking ON session (root) WHERE ${HAS_RUN_REPORTS};
PRAGMA user_version = ${INDEX_VERSION};
`;
