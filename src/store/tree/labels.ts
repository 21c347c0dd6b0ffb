import type { LabelEntry, SessionInfoEntry } from "../format/schema.ts";

/** The present label of an entry. */
export interface ResolvedLabel {
	readonly text: string;
	/** When it was set (ISO 8601). */
	readonly timestamp: string;
}

export function applyLabel(labels: Map<string, ResolvedLabel>, { targetId, label, timestamp }: LabelEntry): void {
	if (label) labels.set(targetId, { text: label, timestamp });
	else labels.delete(targetId);
}

/** The name that an entry gives its session, trimmed; undefined if it clears the name. */
export function nameIn({ name }: SessionInfoEntry): string | undefined {
	return typeof name === "string" ? name.trim() || undefined : undefined;
}
