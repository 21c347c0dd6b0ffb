// The few words of an output by which one knows what came of a command, found in its first and last lines.

/** Escape sequences of colors, with which test runners begin their lines. */
const COLORS = /\u001b\[[0-9;:]*m/g;
/** What says nothing about how it went: status lines of pi, and what npm and node print before everything. */
const NOISE =
	/^(?:\(no output\)|Command (?:exited with code|aborted|timed out|terminated)\b.*|> .*|Debugger attached\.|Waiting for the debugger to disconnect\.\.\.|npm (?:notice|warn|WARN)\b.*|[-=─━_*\s]*)$/;
/** A line with the result of a test file. */
const TEST_LINE = /^(?:PASS|FAIL|✓|✗|✘|×|ok\b|not ok\b|FAILED\b|PASSED\b)/;
const FAILED_TEST = /^(?:FAIL|✗|✘|×|not ok\b)/;
/** "1 failed", "12 passed", "3 errors": counts with which tests and linters end. */
const COUNT = /\b(\d[\d,]*) (?:tests? )?(failed|failing|failures?|errors?|problems?|passed|passing)\b/gi;
/** A line that says what went wrong. */
const FAILURE =
	/\b(?:errors?|exception|fail(?:ed|ure|s)?|fatal|panic(?:ked)?|cannot|can't|could not|not found|no such file|denied|refused|unable to|undefined reference|traceback|invalid|aborted|killed)\b|^\S*Error\b/i;
/** A last line that says that something was reached. */
const SUCCESS =
	/^[✓✔]|\b(?:done|built|success(?:ful(?:ly)?)?|finished|complete[d]?|created|installed|compiled|checked|added|found|total|up to date)\b/i;

/** The counts stand in one of the last lines, if there are any: further up they are of something else. */
const SUMMARY_LINES = 12;
/** Words are cut here: a row has no room for more. */
const MAX_WORDS = 200;

/** The telling words of an output's ends: its first failing line, "PASS · 12 passed", its only or last line; "" for none. */
export function tellingWords(ends: string, failed: boolean): string {
	const lines = ends
		.replace(COLORS, "")
		.split("\n")
		.map((line) => line.slice(0, MAX_WORDS).trim())
		.filter((line) => !NOISE.test(line));
	const [first = ""] = lines;
	const last = lines.at(-1) ?? "";
	const tests = testWords(lines, failed);
	if (tests !== "") return tests;
	if (failed) return lines.find((line) => FAILURE.test(line)) ?? last;
	// JSON says nothing in a few words.
	if (/^(?:\{\s*(?:["}]|$)|\[\s*(?:[{"\]]|$))/.test(first)) return "";
	if (lines.length <= 1) return first;
	return SUCCESS.test(last) ? last : "";
}

/** "FAIL test/import.test.ts · 1 failed", "PASS · 12 passed"; "" where no tests ran. */
function testWords(lines: readonly string[], failed: boolean): string {
	const counts = lastCount(lines);
	if (counts === undefined) return "";
	const broken = lines.find((line) => FAILED_TEST.test(line));
	if (failed && broken !== undefined) return `${broken} · ${counts}`;
	const passed = lines.some((line) => /^PASS\b/.test(line)) && !/fail/i.test(counts);
	if (passed) return `PASS · ${counts}`;
	const error = failed ? lines.find((line) => FAILURE.test(line) && !TEST_LINE.test(line)) : undefined;
	return error === undefined || error.includes(counts) ? counts : `${error} · ${counts}`;
}

/** The last line with counts, failures first: "1 failed" of "1 failed | 11 passed". A zero says nothing. */
function lastCount(lines: readonly string[]): string | undefined {
	for (const line of lines.slice(-SUMMARY_LINES).toReversed()) {
		const counts = [...line.matchAll(COUNT)].filter(([, count]) => count !== "0");
		const worst = counts.find(([, , word = ""]) => !/^pass/i.test(word)) ?? counts[0];
		if (worst !== undefined) return worst[0].replace(/ tests? /i, " ");
	}
	return undefined;
}
