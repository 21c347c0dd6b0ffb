// The few words of an output that show what came of a command, taken from its first and last lines.

/** Color sequences, with which test runners begin their lines. */
const COLORS = /\u001b\[[0-9;:]*m/g;
/** Lines that say nothing about the outcome: status lines of pi, and the first lines of npm and node. */
const NOISE =
	/^(?:\(no output\)|Operation aborted|Command (?:exited with code|aborted|timed out|terminated)\b.*|> .*|Debugger attached\.|Waiting for the debugger to disconnect\.\.\.|npm (?:notice|warn|WARN)\b.*|[-=─━_*\s]*)$/;
const TEST_LINE = /^(?:PASS|FAIL|✓|✗|✘|×|ok\b|not ok\b|FAILED\b|PASSED\b)/;
const FAILED_TEST = /^(?:FAIL|✗|✘|×|not ok\b)/;
/** "1 failed", "12 passed", "3 errors": counts that test runners and linters end with. */
const COUNT = /\b(\d[\d,]*) (?:tests? )?(failed|failing|failures?|errors?|problems?|passed|passing)\b/gi;
/** A line that says what went wrong. */
const FAILURE =
	/\b(?:errors?|exception|fail(?:ed|ure|s)?|fatal|panic(?:ked)?|cannot|can't|could not|not found|no such file|denied|refused|unable to|undefined reference|traceback|invalid|aborted|killed)\b|^\S*Error\b/i;
/** A last line that reports success. */
const SUCCESS =
	/^[✓✔]|\b(?:done|built|success(?:ful(?:ly)?)?|finished|complete[d]?|created|installed|compiled|checked|added|found|total|up to date)\b/i;

/** A line that begins with what went wrong. */
const FAILURE_FIRST =
	/^\s*(?:FAIL\b|✗|✘|×|not ok\b|FAILED\b|E {2,}|\S*(?:Error|Exception)\b|(?:fatal|panic|Traceback|error)\b)/;
/** UTF-16 units in which the first failing line is looked for: a fraction of a frame. */
const LOOKED_THROUGH = 128 * 1024;

/** Lines at the end that may have the counts: further up they are about something else. */
const SUMMARY_LINES = 12;
/** Characters of a line that are used: a row has no room for more. */
const MAX_LENGTH = 200;

/** Summarizes an output by its ends: its first failing line, "PASS · 12 passed", its only or last line; "" for none. */
export function summarizeOutput(ends: string, failed: boolean): string {
	const lines = ends
		.replace(COLORS, "")
		.split("\n")
		.map((line) => line.slice(0, MAX_LENGTH).trim())
		.filter((line) => !NOISE.test(line));
	const [first = ""] = lines;
	const last = lines.at(-1) ?? "";
	const tests = summarizeTests(lines, failed);
	if (tests !== "") return tests;
	if (failed) return lines.find((line) => FAILURE.test(line)) ?? last;
	// The beginning of JSON says nothing.
	if (/^(?:\{\s*(?:["}]|$)|\[\s*(?:[{"\]]|$))/.test(first)) return "";
	if (lines.length <= 1) return first;
	return SUCCESS.test(last) ? last : "";
}

/** Where the first line begins that says what failed, if it is near the beginning; undefined if none does. */
export function firstFailure(output: string): number | undefined {
	let likely: number | undefined;
	for (let from = 0; from < Math.min(output.length, LOOKED_THROUGH); ) {
		const newline = output.indexOf("\n", from);
		const end = newline === -1 ? output.length : newline;
		const line = output.slice(from, Math.min(end, from + MAX_LENGTH)).replace(COLORS, "");
		if (FAILURE_FIRST.test(line)) return from;
		if (likely === undefined && FAILURE.test(line) && !NOISE.test(line.trim())) likely = from;
		from = end + 1;
	}
	return likely;
}

/** "FAIL test/import.test.ts · 1 failed", "PASS · 12 passed"; "" if no tests ran. */
function summarizeTests(lines: readonly string[], failed: boolean): string {
	const counts = lastCount(lines);
	if (counts === undefined) return "";
	const broken = lines.find((line) => FAILED_TEST.test(line));
	if (failed && broken !== undefined) return `${broken} · ${counts}`;
	const passed = lines.some((line) => /^PASS\b/.test(line)) && !/fail/i.test(counts);
	if (passed) return `PASS · ${counts}`;
	const error = failed ? lines.find((line) => FAILURE.test(line) && !TEST_LINE.test(line)) : undefined;
	return error === undefined || error.includes(counts) ? counts : `${error} · ${counts}`;
}

/** The count of the last line with counts, failures first: "1 failed" of "1 failed | 11 passed"; zeros are ignored. */
function lastCount(lines: readonly string[]): string | undefined {
	for (const line of lines.slice(-SUMMARY_LINES).toReversed()) {
		const counts = [...line.matchAll(COUNT)].filter(([, count]) => count !== "0");
		const worst = counts.find(([, , word = ""]) => !/^pass/i.test(word)) ?? counts[0];
		if (worst !== undefined) return worst[0].replace(/ tests? /i, " ");
	}
	return undefined;
}
