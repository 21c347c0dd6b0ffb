import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import {
	drawMonths,
	drawWeekday,
	heatmapOf,
	weekAt,
	weeksIn,
} from "../../../../src/app/features/statistics/heatmap.ts";
import type { StatsLine } from "../../../../src/catalog/stats/aggregate-stats.ts";
import { caseCount } from "../../../support/cases.ts";
import { NOW } from "../../../support/rows.ts";

afterEach(() => vi.unstubAllEnvs());

function spentOn(day: string, cost: number): StatsLine {
	return { key: day, sessions: 1, bytes: 0, tokens: 10, cost, abandoned: { tokens: 0, cost: 0 }, workedMs: 0 };
}

const costOf = ({ cost }: StatsLine): number => cost;

test.each(["UTC", "Europe/Berlin", "America/Sao_Paulo", "Pacific/Apia", "Asia/Kathmandu"])(
	"in %s each of the last days is there once, from Monday on, whatever the clocks do",
	(zone) => {
		vi.stubEnv("TZ", zone);
		fc.assert(
			fc.property(fc.date({ min: new Date(2008, 0, 1), max: new Date(2030, 0, 1), noInvalidDate: true }), (now) => {
				const heatmap = heatmapOf([], costOf, now.getTime(), 52);
				const days = Array.from({ length: 52 * 7 }, (_, index) => heatmap.at(index % 7, 51 - Math.floor(index / 7)));
				expect(new Set(days.map(({ day }) => day)).size).toBe(days.length);
				expect(days.map(({ day }) => day)).toEqual(days.map(({ day }) => day).toSorted());
				expect(new Date(`${days[0]?.day}T12:00`).getDay()).toBe(1);
				const today = days.filter(({ isPast }) => isPast).at(-1)?.day;
				expect(new Date(`${today}T12:00`).toDateString()).toBe(now.toDateString());
				expect(heatmap.at(heatmap.today, 0).day).toBe(today);
			}),
			{ numRuns: caseCount(20) },
		);
	},
);

test("each shade has the same number of days, not counting days without spending", () => {
	const days = [0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 500].map((cost, index) =>
		spentOn(`2026-11-0${index + 1}`, cost),
	);
	const heatmap = heatmapOf([...days, spentOn("2026-11-10", 0), spentOn("2020-01-01", 1e6)], costOf, NOW, 8);
	const levelOf = (day: string): number | undefined => {
		for (let ago = 0; ago < 8; ago++)
			for (let weekday = 0; weekday < 7; weekday++)
				if (heatmap.at(weekday, ago).day === day) return heatmap.at(weekday, ago).level;
		return undefined;
	};
	expect(days.map(({ key }) => levelOf(key))).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
	// Days with answers have a shade even if the model costs nothing.
	expect([levelOf("2026-11-10"), levelOf("2026-11-11")]).toEqual([1, 0]);
});

test("a month is named above the week in which it begins, and names do not overlap", () => {
	vi.stubEnv("TZ", "UTC");
	const text = (weeks: number): string =>
		drawMonths(heatmapOf([], costOf, NOW, weeks), 0)
			.map((span) => span.text)
			.join("");
	expect(text(9)).toBe("        Oct     Nov");
	expect(text(52).trim().split(/\s+/)).toEqual("Dec Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov".split(" "));
	for (let weeks = 8; weeks <= 52; weeks++) expect(text(weeks)).toMatch(/^ +[A-Z][a-z]{2}( +[A-Z][a-z]{2})*$/);
});

test("shows as many weeks as fit; a press on a cell selects the day drawn there", () => {
	expect([weeksIn(160, 2), weeksIn(80, 2), weeksIn(40, 2), weeksIn(20, 2)]).toEqual([52, 36, 16, 0]);
	const heatmap = heatmapOf([], costOf, NOW, 36);
	const line = drawWeekday(heatmap, 2, 5, []);
	const text = line.map((span) => span.text).join("");
	expect(weekAt(text.indexOf("[]"), 0, 36)).toBe(5);
	expect(weekAt(text.indexOf("[]") + 1, 0, 36)).toBe(5);
	expect(weekAt(3, 0, 36)).toBeUndefined();
	expect(weekAt(4 + 2 * 36, 0, 36)).toBeUndefined();
});
