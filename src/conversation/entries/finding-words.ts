import type { Examination } from "../../store/doctor/examine-session.ts";
import { type FindingCode, GRAVITIES, gravityOf, nameOfKind } from "../../store/doctor/finding.ts";
import type { Sentences } from "../../store/doctor/rebuild-session.ts";
import type { PlannedCopy } from "../../store/doctor/repair-session.ts";
import type { Diagnostic } from "../../store/format/diagnostic.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";

/** Findings in words, for the view and for `pi-grove doctor`. They may hold anything, so callers sanitize them. */

export function findingSentence({ line, message }: Pick<Diagnostic, "line" | "message">): string {
	return line === undefined || message.startsWith("Line ") ? message : `line ${line}: ${message}`;
}

/** How many findings there are of each kind, the worst kind first: "3 bad lines", "1 cut-off end". */
export function countWords({ totals, findings }: Pick<Examination, "totals" | "findings">): readonly string[] {
	const rank = (code: FindingCode): number => {
		const finding = findings.find((one) => one.code === code);
		return finding === undefined ? GRAVITIES.length : GRAVITIES.indexOf(gravityOf(finding));
	};
	const kinds = kindsOf(totals).toSorted(([a], [b]) => rank(a) - rank(b));
	return kinds.map(([code, total]) => `${formatCount(total)} ${nameOfKind(code, total)}`);
}

/** Findings that are counted but not stored, so that a huge bad file costs no memory: "and 12,345 more bad lines". */
export function moreSentences({ totals, findings }: Pick<Examination, "totals" | "findings">): readonly string[] {
	const listed = Map.groupBy(findings, ({ code }) => code);
	return kindsOf(totals).flatMap(([code, total]) => {
		const more = total - (listed.get(code)?.length ?? 0);
		return more > 0 ? [`and ${formatCount(more)} more ${nameOfKind(code, more)}`] : [];
	});
}

function kindsOf(totals: Examination["totals"]): [code: FindingCode, total: number][] {
	// To the compiler the keys of an object are strings; these are the codes of findings.
	const kinds = Object.entries(totals) as [FindingCode, number][];
	return kinds.sort((a, b) => b[1] - a[1]);
}

export function copySentences({ dropped, changes }: PlannedCopy): {
	readonly dropped: readonly string[];
	readonly changes: readonly string[];
} {
	return { dropped: withMore(dropped, "line", "lines"), changes: withMore(changes, "change", "changes") };
}

function withMore({ sentences, total }: Sentences, one: string, many: string): readonly string[] {
	const more = total - sentences.length;
	return more > 0 ? [...sentences, `and ${formatCounted(more, `more ${one}`, `more ${many}`)}`] : sentences;
}

/** A summary of several copies: "2 copies: 3 lines left out, 1 change". */
export function copiesSum(copies: readonly PlannedCopy[]): string {
	const dropped = copies.reduce((sum, copy) => sum + copy.dropped.total, 0);
	const changes = copies.reduce((sum, copy) => sum + copy.changes.total, 0);
	const parts = [
		...(dropped > 0 ? [`${formatCounted(dropped, "line")} left out`] : []),
		...(changes > 0 ? [formatCounted(changes, "change")] : []),
	];
	const what = parts.length > 0 ? parts.join(", ") : "nothing left out or changed but its id";
	return `${formatCounted(copies.length, "copy", "copies")}: ${what}`;
}
