import { formatCounted } from "../../ui/text/format.ts";
import { FINDING_KINDS, FINDING_NAMES, type FindingKind } from "./finding-kinds.ts";
import type { Finding } from "./masker.ts";

/** All findings of a kind. */
export interface FindingGroup {
	readonly kind: FindingKind;
	/** "2 keys" */
	readonly words: string;
	readonly findings: readonly Finding[];
	/** Whether they are left as they are. */
	readonly isAllowed: boolean;
}

/** The findings in what is shared, by their kinds, each with its places there; `ids`: the entries that are shared. */
export function findingGroups(
	findings: Iterable<Finding>,
	ids: ReadonlySet<string>,
	allowed: ReadonlySet<FindingKind>,
): readonly FindingGroup[] {
	const all = [...findings].flatMap((finding) => {
		const places = new Set(finding.places.values().filter((id) => id === "" || ids.has(id)));
		return places.size === 0 ? [] : [{ ...finding, places }];
	});
	return FINDING_NAMES.flatMap((kind) => {
		const own = all.filter((finding) => finding.kind === kind);
		if (own.length === 0) return [];
		const { one, many } = FINDING_KINDS[kind];
		return [{ kind, words: formatCounted(countOf(own), one, many), findings: own, isAllowed: allowed.has(kind) }];
	});
}

/** How many there are; a home directory may be written in several ways. */
function countOf(findings: readonly Finding[]): number {
	return new Set(
		findings.map(({ kind, text }) => (kind === "home" ? text.replace(/^[A-Za-z]:|[^\p{L}\p{N}]+/gu, "") : text)),
	).size;
}

/** Characters of a secret that are told to the person who knows it. */
const TOLD = 6;

/** A finding as the person may see it again in a log: a secret by its beginning. */
export function toldFinding({ kind, text, isGiven }: Finding): string {
	if (isGiven) return `a value of .env (${formatCounted(text.length, "character")})`;
	if (kind === "mail" || kind === "home") return text;
	const isKey = text.startsWith("-----BEGIN");
	const start = isKey ? "private key" : text.slice(0, Math.min(TOLD, Math.floor(text.length / 4)));
	return `${start}… (${formatCounted(text.length, "character")})`;
}
