import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NO_MARKS } from "../../src/catalog/model/marks.ts";
import { timeAhead, usedMs } from "../../src/catalog/model/row.ts";
import { rowMeets } from "../../src/catalog/query/conditions.ts";
import { parseQuery } from "../../src/catalog/query/parse-query.ts";
import { NOT_SCANNED, scanFile } from "../../src/catalog/scan/scan-file.ts";
import { formatAge, formatAgo } from "../../src/ui/text/format.ts";
import { tempDirOfFile } from "../support/temp-dir.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const folder = tempDirOfFile();
const now = Date.now();

/** A session whose last message is of that time, in a file that was written two days ago. */
function scanned(name: string, ms: number) {
	const path = join(folder, name);
	const time = new Date(ms).toISOString();
	const header = { type: "session", version: 3, id: name, timestamp: time, cwd: "/w" };
	const message = { role: "user", content: "from a clock", timestamp: ms };
	writeFileSync(
		path,
		`${[header, { type: "message", id: "a", parentId: null, timestamp: time, message }].map((line) => JSON.stringify(line)).join("\n")}\n`,
	);
	utimesSync(path, (now - 2 * DAY) / 1000, (now - 2 * DAY) / 1000);
	return scanFile(path, NOT_SCANNED).row;
}

test("a time that is still to come is not believed: the session is as old as its file, of no day, and says so", () => {
	const ahead = scanned("ahead", now + 55 * DAY + HOUR);
	expect([ahead.modified.getTime(), ahead.aheadMs]).toEqual([Math.round(now - 2 * DAY), now + 55 * DAY + HOUR]);
	expect(usedMs(ahead, now)).toBeNaN();
	expect(formatAgo(timeAhead(ahead, now) ?? 0, now)).toBe("in 55d");
	// Once that time has come it is a session as any other.
	expect(timeAhead(ahead, now + 60 * DAY)).toBeUndefined();
	expect(usedMs(ahead, now + 60 * DAY)).toBe(ahead.modified.getTime());
});

test("clocks that differ by minutes are believed", () => {
	const row = scanned("near", now + 10 * 60_000);
	expect([row.modified.getTime(), row.aheadMs]).toEqual([now + 10 * 60_000, undefined]);
});

test.each(["since:today", "since:7d", "on:today", "after:2020-01-01", "before:2100-01-01"])(
	"%s leaves it out",
	(text) => {
		const parsed = parseQuery(text);
		if ("error" in parsed) throw new Error(parsed.error);
		const facts = {
			...{ live: new Set<string>(), marks: NO_MARKS, counts: new Map(), fileNames: new Set<string>() },
			...{ runs: new Map(), familyCosts: new Map(), gone: new Set(), branches: new Map(), now },
		};
		expect(rowMeets(scanned("later", now + 55 * DAY), parsed.query.conditions, facts)).toBe(false);
	},
);

test("ages of times that are still to come have at most four cells", () => {
	const ages = [0, 30_000, 90_000, 5 * HOUR, 55 * DAY, 99 * DAY, 100 * DAY, 500 * DAY, 1e6 * DAY];
	expect(ages.map((ms) => formatAge(now + ms, now))).toEqual([
		"now",
		"now",
		"+1m",
		"+5h",
		"+55d",
		"+99d",
		"+1y",
		"+2y",
		"+99y",
	]);
});
