import { isReport } from "../../catalog/families/report-reader.ts";
import { reportsIn } from "../../catalog/families/reports-in.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import type { OwnCosts } from "../../catalog/stats/family-cost.ts";
import { isUsageOfRuns, ReportedRuns } from "../../catalog/stats/reported-runs.ts";
import { spendingIn, tokensOf } from "../../catalog/stats/usage.ts";
import { largest } from "../../shared/columns.ts";
import { projectKey } from "../../shared/paths.ts";
import { fieldsOf } from "../../store/format/fields.ts";
import { timeOf } from "../../store/format/raw-entry.ts";
import type { Session } from "../../store/read/read-session.ts";
import {
	formatClock,
	formatCost,
	formatCount,
	formatCounted,
	formatDate,
	formatDuration,
	shortenHome,
} from "../../ui/text/format.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { messageFields } from "../blocks/block.ts";
import { endingOf, type OpenEnd } from "../entries/ending.ts";
import { entryKind } from "../entries/entry-kind.ts";
import { placeOf } from "../entries/place.ts";
import { plainWords, promptHead } from "../entries/row-text.ts";
import { sessionTitle } from "../entries/session-title.ts";
import { addEntry, emptySum, type Sum, sumParts } from "../entries/turn-sum.ts";
import { escapedLine } from "../markdown/markdown-parts.ts";
import { entryPlainText } from "../markdown/plain-text.ts";

export interface StandupSession {
	readonly row: SessionRow;
	readonly sum: Readonly<Sum>;
	/** What was asked, in order, a line each. */
	readonly prompts: readonly string[];
	/** The beginning of the last answer; "" for none. */
	readonly said: string;
	readonly ending: OpenEnd | undefined;
	/** How many runs of subagents have worked for it, also those of its runs; what they did is in the sum, without their time. */
	readonly runs: number;
}

/** The same without what its runs did. */
export interface SessionWork extends Omit<StandupSession, "runs"> {
	/** What it has cost without the usage that it reports for its runs, and these reports. */
	readonly costs: OwnCosts;
}

/** From `from` up to `to`, Unix ms. */
interface DigestTime {
	readonly from: number;
	readonly to: number;
}

/** Identifies an entry, also among its copies in forks. */
export type Counted = Set<string>;

/**
 * What was done in a session in that time; undefined for nothing. What is in `counted` already, since it was copied from
 * there, is not counted again; what is counted here is added to it: begin with the oldest session.
 */
export function workIn(
	row: SessionRow,
	session: Session,
	{ from, to }: DigestTime,
	{ home, counted }: { readonly home: string; readonly counted: Counted },
): SessionWork | undefined {
	const place = placeOf(session, home);
	const sum = emptySum();
	const prompts: string[] = [];
	const runs = new ReportedRuns();
	let answer = "";
	let reportedCost = 0;
	for (const entry of session.entries) {
		const time = timeOf(entry.timestamp);
		const key = `${entry.id} ${entry.timestamp}`;
		if (!(time >= from && time < to) || counted.has(key)) continue;
		counted.add(key);
		addEntry(sum, entry, session, place);
		const reported = isReport(fieldsOf(entry)) ? reportsIn(fieldsOf(entry)) : [];
		const spending = spendingIn(fieldsOf(entry));
		runs.add(reported, spending && { tokens: tokensOf(spending), cost: spending.cost });
		if (isUsageOfRuns(reported)) reportedCost += spending?.cost ?? 0;
		const kind = entryKind(entry);
		if (kind === "prompt") prompts.push(firstWords(promptHead(messageFields(entry).content)) || "(no text)");
		else if (kind === "answer") answer = firstWords(entryPlainText(entry)) || answer;
	}
	const isNothing = sum.turns === 0 && sum.steps === 0 && answer === "";
	const costs = { tokens: 0, cost: sum.cost - reportedCost, ...runs.counts() };
	if (isNothing && costs.runs === undefined) return undefined;
	return { row, sum, prompts, said: answer, ending: endingOf(session), costs };
}

function firstWords(text: string): string {
	return plainWords(text).replace(/\s+/g, " ").trim();
}

/** Cells of what was asked and said. A title is whole, as it is copied. */
const WORDS = 160;
const MOST_FILES = 8;
const MOST_PROMPTS = 12;

/** What was done, under a title, by project, the one with the latest work first, as Markdown. No text of a session is markup in it. */
export function standupMarkdown(digests: readonly StandupSession[], title: string, home: string): string {
	const lines = [`# ${title}`, "", allOf(digests)];
	const byProject = Map.groupBy(digests, ({ row }) => projectKey(row.cwd));
	const latest = (some: readonly StandupSession[]): number => largest(some.map(({ sum }) => sum.endMs ?? 0));
	for (const [cwd, some] of [...byProject].sort(([, one], [, other]) => latest(other) - latest(one))) {
		lines.push("", `## ${escapedLine(shortenHome(cwd, home), WORDS) || "(no directory)"}`);
		for (const digest of some.toSorted((one, other) => (other.sum.endMs ?? 0) - (one.sum.endMs ?? 0)))
			lines.push(...sessionLines(digest));
	}
	return `${lines.join("\n")}\n`;
}

function allOf(digests: readonly StandupSession[]): string {
	if (digests.length === 0) return "Nothing was said in any session.";
	const of = (count: (digest: StandupSession) => number): number =>
		digests.reduce((sum, digest) => sum + count(digest), 0);
	const runs = of((digest) => digest.runs);
	const parts = [
		formatCounted(digests.length, "session"),
		formatCounted(
			of(({ sum }) => sum.turns),
			"prompt",
		),
		...(runs === 0 ? [] : [formatCounted(runs, "run")]),
		formatDuration(of(({ sum }) => sum.workedMs)),
		formatCost(of(({ sum }) => sum.cost)),
	];
	return parts.join(" · ");
}

function sessionLines({ row, sum, prompts, said, ending, runs }: StandupSession): string[] {
	const more = prompts.length - MOST_PROMPTS;
	const title = sessionTitle(row);
	// A session without a name is titled by its first prompt.
	const isTitle = prompts[0]?.slice(0, WORDS) === firstWords(title).slice(0, WORDS);
	return [
		"",
		`### ${escapedLine(title, Number.POSITIVE_INFINITY)}`,
		"",
		`${[timesOf(sum), ...sumParts(sum), runs > 0 ? `with ${formatCounted(runs, "run")}` : ""].filter((part) => part !== "").join(" · ")} · \`${sanitizeLine(row.id).replaceAll("`", "'")}\``,
		"",
		...prompts.slice(isTitle ? 1 : 0, MOST_PROMPTS).map((prompt) => `- asked: ${escapedLine(prompt, WORDS)}`),
		...(more > 0 ? [`- and ${formatCounted(more, "more prompt", "more prompts")}`] : []),
		...filesLine(sum.files),
		...(said === "" ? [] : [`- last answer: ${escapedLine(said, WORDS)}`]),
		...(ending === undefined ? [] : [`- **open**: ${escapedLine(ending.text, WORDS)}`]),
	];
}

/** When a session worked: "Fri 27 Nov 16:29–16:30", "Thu 19 Nov 17:46 – Sun 22 Nov 18:07"; "" where its entries have no time. */
function timesOf({ startMs, endMs = startMs }: Readonly<Sum>): string {
	if (startMs === undefined || endMs === undefined) return "";
	const [first, last] = [formatDate(startMs), formatDate(endMs)];
	const start = `${first} ${formatClock(startMs)}`;
	if (last !== first) return `${start} – ${last} ${formatClock(endMs)}`;
	return formatClock(startMs) === formatClock(endMs) ? start : `${start}–${formatClock(endMs)}`;
}

function filesLine(files: ReadonlyMap<string, unknown>): string[] {
	if (files.size === 0) return [];
	const named = [...files.keys()].slice(0, MOST_FILES).map((path) => escapedLine(path, WORDS));
	const more = files.size - named.length;
	return [`- files: ${named.join(", ")}${more > 0 ? `, and ${formatCount(more)} more` : ""}`];
}
