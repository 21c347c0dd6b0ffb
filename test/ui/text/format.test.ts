import { describe, expect, test } from "vitest";
import {
	formatClock,
	formatCost,
	formatCostBeside,
	formatDay,
	formatDayTime,
	formatDuration,
	formatTime,
	formatWhen,
	timeCell,
} from "../../../src/ui/text/format.ts";

/** A Wednesday. */
const now = Date.parse("2026-11-25T14:05:00Z");

describe("a time", () => {
	test.each([
		["2026-11-25T09:29:00Z", "9:29", "9:29", "today"],
		["2026-11-25T23:59:00Z", "23:59", "23:59", "today"],
		["2026-11-24T23:59:00Z", "Tue 23:59", "Tue 23:59", "Tue"],
		["2026-11-19T00:00:00Z", "Thu 0:00", "Thu 0:00", "Thu"],
		// A week ago the name of the weekday would be that of today.
		["2026-11-18T23:59:00Z", "18 Nov", "18 Nov 23:59", "18 Nov"],
		["2026-01-01T08:00:00Z", "1 Jan", "1 Jan 8:00", "1 Jan"],
		["2025-11-21T10:09:00Z", "21 Nov 2025", "21 Nov 2025 10:09", "21 Nov 2025"],
		["2026-11-26T08:00:00Z", "26 Nov", "26 Nov 8:00", "26 Nov"],
		["2027-01-02T08:00:00Z", "2 Jan 2027", "2 Jan 2027 8:00", "2 Jan 2027"],
		["no time", "", "", ""],
	])("%s is %j, with its time of day %j, as a day %j", (at, time, dayTime, day) => {
		const ms = Date.parse(at);
		expect([formatTime(ms, now), formatDayTime(ms, now), formatDay(ms, now)]).toEqual([time, dayTime, day]);
	});

	test("in the first days of a year is named by its weekday, or has the year before", () => {
		const newYear = Date.parse("2027-01-02T12:00:00Z");
		expect(formatTime(Date.parse("2026-12-31T09:00:00Z"), newYear)).toBe("Thu 9:00");
		expect(formatTime(Date.parse("2026-12-20T09:00:00Z"), newYear)).toBe("20 Dec 2026");
	});

	test("that is read at another time has its day and its year", () => {
		expect(formatDayTime(now)).toBe("25 Nov 2026 14:05");
		expect(formatDay(now)).toBe("25 Nov 2026");
		expect([formatClock(now), formatClock(Number.NaN)]).toEqual(["14:05", ""]);
	});

	test.each([
		["2026-11-25T09:29:00Z", "today at 9:29"],
		["2026-11-24T23:59:00Z", "yesterday at 23:59"],
		["2026-11-23T14:05:00Z", "on Mon at 14:05"],
		["2025-11-21T10:09:00Z", "on 21 Nov 2025 at 10:09"],
		["no time", ""],
	])("%s in a sentence is %j", (at, words) => {
		expect(formatWhen(Date.parse(at), now)).toBe(words);
	});

	test.each([
		["2026-11-25T09:29:00Z", "       9:29", "  4h"],
		["2025-11-21T10:09:00Z", "21 Nov 2025", "  1y"],
		["no time", "           ", "    "],
	])("%s in a column is %j, in a narrow row %j", (at, wide, narrow) => {
		expect([56, 55].map((width) => timeCell(Date.parse(at), now, width))).toEqual([wide, narrow]);
	});
});

test.each([
	[0, "$0.00"],
	[0.0042, "<$0.01"],
	[0.0099, "<$0.01"],
	[0.0286, "$0.03"],
	[0.139, "$0.14"],
	[12.4, "$12.40"],
	[1204.5, "$1,204.50"],
])("%d dollars are %s", (dollars, text) => expect(formatCost(dollars)).toBe(text));

test("a sum beside another one adds up with it", () => {
	expect([formatCost(2.235), formatCostBeside(2.235, 0.635), formatCost(2.87)]).toEqual(["$2.24", "$0.63", "$2.87"]);
	expect(formatCostBeside(0.004, 0.003)).toBe("$0.01");
	expect(formatCostBeside(1, 2)).toBe("$2.00");
});

test.each([
	[31, "31ms"],
	[4100, "4.1s"],
	[42_400, "42s"],
	[42 * 60_000 + 50_000, "42m 50s"],
	[99 * 60_000, "1h 39m"],
	[10 * 3_600_000, "10h"],
	[76 * 3_600_000, "3d 4h"],
])("%d milliseconds are %s", (ms, text) => expect(formatDuration(ms)).toBe(text));
