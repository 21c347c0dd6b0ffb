import { FINDING_NAMES, type FindingKind, findingKind } from "../../../conversation/share/finding-kinds.ts";
import type { PreparedShare } from "../../../conversation/share/prepare-share.ts";
import { type FindingGroup, toldFinding } from "../../../conversation/share/told-findings.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { enumerate } from "../../print/enumerate.ts";
import type { Mistake } from "../../print/mistake.ts";

/** What is not masked. */
export type Allowed = ReadonlySet<FindingKind>;

/** The kinds that "--allow" names, with commas: "mail,home", or "all". */
export function allowedKinds(typed: string | undefined): Allowed | Mistake {
	const words = (typed ?? "").split(",").filter((word) => word.trim() !== "");
	if (words.some((word) => word.trim() === "all")) return new Set(FINDING_NAMES);
	const kinds = words.map((word) => findingKind(word.trim()));
	const wrong = words.find((_, index) => kinds[index] === undefined);
	if (wrong !== undefined) return { mistake: `--allow takes ${enumerate([...FINDING_NAMES, "all"])}, not ${wrong}` };
	return new Set(kinds.filter((kind) => kind !== undefined));
}

/** Findings of a kind that are told in lines of their own; the JSON has all. */
const MOST_TOLD = 10;

/** What was found, before anything is written: by kinds, each finding with its mask, and how many entries have it. */
export function findingLines({ groups }: PreparedShare): string[] {
	return groups.flatMap(({ words, findings, isAllowed, kind }) => {
		const told = findings.slice(0, MOST_TOLD).map((finding) => {
			const where = formatCounted(finding.places.size, "entry", "entries");
			return `  ${toldFinding(finding)}${isAllowed ? "" : `  →  ${finding.mask}`}  in ${where}`;
		});
		const more = findings.length - told.length;
		const head = isAllowed ? `${words}, left as they are:` : `${words}, masked (--allow ${kind} leaves them):`;
		return [head, ...told, ...(more > 0 ? [`  and ${formatCount(more)} more; --json tells all`] : [])];
	});
}

/** The same as JSON; of a secret only its beginning, and the first entries that have it. */
export function findingsJson({ kind, findings, isAllowed }: FindingGroup): object[] {
	return findings.map((finding) => ({
		kind,
		found: toldFinding(finding),
		masked: !isAllowed,
		mask: finding.mask === finding.text ? null : finding.mask,
		count: finding.places.size,
		entries: [...finding.places].filter((id) => id !== "").slice(0, MOST_TOLD),
	}));
}
