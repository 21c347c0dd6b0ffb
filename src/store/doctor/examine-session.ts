import type { Diagnostic } from "../format/diagnostic.ts";
import { versionOf } from "../format/migrate.ts";
import { readSession } from "../read/read-session.ts";
import { orphanedResults } from "./orphaned-results.ts";
import { readParts } from "./read-parts.ts";

/** Something wrong or unusual in a file that only a whole examination finds, besides what every reading reports. */
type FindingCode = Diagnostic["code"] | "several-sessions" | "mixed-versions" | "orphaned-result" | "same-id";

export interface Finding extends Omit<Diagnostic, "code"> {
	readonly code: FindingCode;
}

/** What is wrong or unusual in one session file. */
export interface Examination {
	readonly path: string;
	/** Id in the header; "" where there is none. */
	readonly id: string;
	readonly entries: number;
	/** How many sessions are in the file. */
	readonly sessions: number;
	/** In the order of the lines. */
	readonly findings: readonly Finding[];
}

/** Examines a file. Rejects with a `StoreError` when it cannot be read. Nothing is written. */
export async function examineSession(path: string): Promise<Examination> {
	const session = await readSession(path);
	const findings: Finding[] = [...session.diagnostics];
	const parts = readParts(path);
	const versions = new Set(parts.flatMap(({ header }) => (header === undefined ? [] : [versionOf(header.value)])));
	if (parts.length > 1) {
		const lines = parts.map(({ header }) => header?.number ?? 1).join(", ");
		const message = `There are ${parts.length} sessions in the file; they begin on lines ${lines}, and pi takes them for one.`;
		findings.push({ code: "several-sessions", severity: "damage", message });
	}
	if (versions.size > 1) {
		const message = `There are lines of the versions ${[...versions].sort().join(" and ")} in the file.`;
		findings.push({ code: "mixed-versions", severity: "damage", message });
	}
	// As the session is shown, its entries have text as ids, and parents that are there.
	const connected = session.entries.map((entry) => ({
		...entry,
		parentId: session.tree.parentOf.get(entry.id) ?? null,
	}));
	for (const { id } of orphanedResults(connected)) {
		const line = session.lines.get(String(id));
		const message = `Line ${line} is the result of a call that is not before it; pi cannot go on below it.`;
		findings.push({ code: "orphaned-result", severity: "damage", message, ...(line === undefined ? {} : { line }) });
	}
	findings.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
	const { header, entries } = session;
	return { path, id: header?.id ?? "", entries: entries.length, sessions: parts.length, findings };
}

/** The examinations, with a finding for each file whose session id another file has too. */
export function withSharedIds(examinations: readonly Examination[]): readonly Examination[] {
	const byId = Map.groupBy(examinations, ({ id }) => id);
	return examinations.map((one) => {
		const others = one.id === "" ? [] : (byId.get(one.id) ?? []).filter((other) => other !== one);
		const [other] = others;
		if (other === undefined) return one;
		const more = others.length > 1 ? `, and ${others.length - 1} more` : "";
		const message = `Another file has a session of the same id; pi finds only one of them by it: ${other.path}${more}.`;
		return { ...one, findings: [{ code: "same-id", severity: "note", message }, ...one.findings] };
	});
}
