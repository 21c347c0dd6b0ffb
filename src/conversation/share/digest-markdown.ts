import { largest } from "../../shared/columns.ts";
import {
	formatClock,
	formatCost,
	formatCount,
	formatCounted,
	formatDay,
	formatDuration,
	shortenHome,
} from "../../ui/text/format.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutText } from "../../ui/text/width.ts";
import type { LineChange } from "../entries/line-change.ts";
import { sessionTitle } from "../entries/session-title.ts";
import { sumParts } from "../entries/turn-sum.ts";
import type { DigestTime, SessionDigest } from "./digest.ts";

/** Cells of what was asked and said, and of a title. */
const WORDS = 160;
const TITLE = 80;
/** Files that are named. */
const MOST_FILES = 8;
const MOST_PROMPTS = 12;

/** What was done, by project, the one with the latest work first, as Markdown. No text of a session is markup in it. */
export function digestMarkdown(digests: readonly SessionDigest[], { from }: DigestTime, home: string): string {
	const lines = [`# Since ${formatDay(from)}`, "", allOf(digests)];
	const byProject = Map.groupBy(digests, ({ row }) => row.cwd);
	const latest = (some: readonly SessionDigest[]): number => largest(some.map(({ sum }) => sum.endMs ?? 0));
	for (const [cwd, some] of [...byProject].sort(([, one], [, other]) => latest(other) - latest(one))) {
		lines.push("", `## ${escaped(shortenHome(cwd, home)) || "(no directory)"}`);
		for (const digest of some.toSorted((one, other) => (other.sum.endMs ?? 0) - (one.sum.endMs ?? 0)))
			lines.push(...sessionLines(digest));
	}
	return `${lines.join("\n")}\n`;
}

function allOf(digests: readonly SessionDigest[]): string {
	if (digests.length === 0) return "Nothing was said in any session.";
	const of = (count: (digest: SessionDigest) => number): number =>
		digests.reduce((sum, digest) => sum + count(digest), 0);
	const parts = [
		formatCounted(digests.length, "session"),
		formatCounted(
			of(({ sum }) => sum.turns),
			"prompt",
		),
		formatDuration(of(({ sum }) => sum.workedMs)),
		formatCost(of(({ sum }) => sum.cost)),
	];
	return parts.join(" · ");
}

function sessionLines({ row, sum, prompts, said, ending }: SessionDigest): string[] {
	const times = [sum.startMs, sum.endMs].flatMap((time) => (time === undefined ? [] : [formatClock(time)]));
	const more = prompts.length - MOST_PROMPTS;
	return [
		"",
		`### ${escaped(sessionTitle(row), TITLE)}`,
		"",
		`${[[...new Set(times)].join("–"), ...sumParts(sum)].filter((part) => part !== "").join(" · ")} · \`${sanitizeLine(row.id).replaceAll("`", "'")}\``,
		"",
		...prompts.slice(0, MOST_PROMPTS).map((prompt) => `- asked: ${escaped(prompt)}`),
		...(more > 0 ? [`- and ${formatCounted(more, "more prompt", "more prompts")}`] : []),
		...filesLine(sum.files),
		...(said === "" ? [] : [`- last answer: ${escaped(said)}`]),
		...(ending === undefined ? [] : [`- **open**: ${escaped(ending.text)}`]),
	];
}

function filesLine(files: ReadonlyMap<string, LineChange>): string[] {
	if (files.size === 0) return [];
	const named = [...files].slice(0, MOST_FILES).map(([path, { added, removed }]) => {
		const lines = [added > 0 ? ` +${formatCount(added)}` : "", removed > 0 ? ` −${formatCount(removed)}` : ""];
		return `${escaped(path)}${lines.join("")}`;
	});
	const more = files.size - named.length;
	return [`- files: ${named.join(", ")}${more > 0 ? `, and ${formatCount(more)} more` : ""}`];
}

/** One line in which nothing is markup, cut. */
function escaped(text: string, width = WORDS): string {
	return cutText(sanitizeLine(text), width).replace(/[\\`*_[\]<>#|~&]/g, (mark) => `\\${mark}`);
}
