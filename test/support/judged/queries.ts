/** What a person meant with a query: the session, and the row of the tree that they had in mind. */
export interface Judged {
	/** What they typed, in the words that they half remember. */
	readonly query: string;
	/** The session, by the beginning of its id, without "session-". */
	readonly session: string;
	/** The entries that are right: ids in the demo and the fixtures, keys in a planned session. */
	readonly entries: readonly string[];
}

function meant(query: string, session: string, ...entries: readonly string[]): Judged {
	return { query, session, entries };
}

const QUEUE = "01a1e1de-3a80";
const RETRY = "01a1f71c-7600";
const IMPORT = "01a1ed06-ac80";
const TOTALS = "01a1f1bf-2b80";
const ZOD = "01a1eebe-2080";
const DARK = "01a1f640-bc00";
const JAPANESE = "01a1f11a-6000";
const BUILD = "01a1e929-e780";
const CALC = "01a0c331-8e80";
const RUST = "01a1e8bc-0a80";
const DATES = "01a12a30-be80";
const NOTE = "01a1f7c1-4180";
const REBASE = "01a1912f-ee80";
const BACKOFF = "019e6d42-1a00-7000-8000-000000000152";

/**
 * Sixty queries in words that stand in the sessions, written before any of them was searched for: over the demo, two fixtures
 * and the planned sessions.
 */
export const JUDGED: readonly Judged[] = [
	// What the person asked.
	meant("checkout", "701", "ask"),
	meant("guests", "701", "guest"),
	meant("brands", "729", "brands"),
	meant("replay", "702", "replay"),
	meant("cap", "705", "cap"),
	meant("heic", "704", "heic"),
	meant("deadlock", "706", "ask"),
	meant("JWT", "707", "ask"),
	meant("cookies", "707", "stay"),
	meant("drain force", "713", "force"),
	meant("german table", DATES, "a3f44ad2"),
	meant("shards fail", "716", "flaky"),
	meant("tick both devices", "718", "conflict"),
	meant("mails queue table", "735", "second"),
	meant("left customer limits", "708", "ask"),
	meant("weeks monday", "719", "monday"),
	meant("spreadsheet", "720", "ask"),
	meant("who reads the keys", QUEUE, "eb7c6147"),
	meant("CSP inline scripts", DARK, "ecd9f77c"),
	meant("unary minus", CALC, "6"),
	meant("five attempts", RETRY, "6c2d8cdc"),
	meant("rewrite rust error columns", RUST, "1157fab5"),
	// What the model answered.
	meant("signature raw bytes", "702", "raw"),
	meant("full jitter", "705", "jitter"),
	meant("plurals", "737", "plural"),
	meant("batches of 5,000", "709", "steps"),
	meant("revocation", "707", "revoke"),
	meant("daylight saving", "711", "dst"),
	meant("refresh", "734", "why"),
	meant("cache limit", "736", "cache"),
	meant("rounding", "703", "twice"),
	meant("last-writer-wins", "718", "crdt"),
	meant("standup notes due", NOTE, "4f08df7f"),
	meant("rebase onto", REBASE, "23edb403"),
	meant("optimistic library book", "724", "library"),
	meant("全角", JAPANESE, "3f380187"),
	meant("nDCG sales judges", "731", "people"),
	meant("chargebacks missing from the totals", TOTALS, "69b60fbe"),
	meant("缓存 CI", BUILD, "fe551ee4"),
	// Names, labels, summaries.
	meant("barcode", "728", "ask"),
	meant("label:rejected regular expression", IMPORT, "ddaab49f"),
	meant("barcode zxing too slow", "728", "tried"),
	meant("label:dead", "728", "zxing"),
	meant("quiet alarm", "723", "outline", "titles"),
	meant("claim query race", QUEUE, "2e93cc00"),
	// Commands, thoughts and files.
	meant("stripe trigger", "702", "again"),
	meant("noisy neighbour", "736", "cache"),
	meant("advisory locks", "706", "order"),
	meant("file:backoff.ts", "705", "code"),
	meant("file:checkout.tsx", "701", "split"),
	meant("shrink.ts", "704", "resize"),
	meant("jitter put off", BACKOFF, "c5200033"),
	meant("schema.ts zod", ZOD, "2d03e260"),
	// What was printed.
	meant("pgcrypto not available", "717", "restore"),
	meant("AccessDenied route53", "715", "cert"),
	meant("SecurityException FGS", "726", "logcat"),
	meant("Postcode TimeoutError", "701", "e2e"),
	meant("adc=4095", "721", "serial"),
	meant("41,802", QUEUE, "d60fec15", "8f645271"),
	meant("Invalid string length", IMPORT, "bad9fcc4", "c2aedc5d"),
];
