import type { Choice } from "../src/app/world/state/choice.ts";

/** A choice as the browser wrote it; undefined where it is none that this version knows. */
export function readChoice(value: unknown): Choice | undefined {
	if (typeof value !== "object" || value === null) return undefined;
	const { action, path, cwd, entryId, position, text } = value as Readonly<Record<string, unknown>>;
	const entry = typeof entryId === "string" ? { entryId } : undefined;
	if (action === "edit") return typeof text === "string" ? { action, text } : undefined;
	if (typeof path !== "string") return undefined;
	switch (action) {
		case "resume":
			return {
				action,
				path,
				cwd: typeof cwd === "string" ? cwd : "",
				...entry,
				...(typeof text === "string" && { text }),
			};
		case "goto":
			return entry && { action, path, ...entry };
		case "fork":
			return entry && (position === "before" || position === "at") ? { action, path, ...entry, position } : undefined;
		case "reference":
			return typeof text === "string" ? { action, path, text, ...entry } : undefined;
		default:
			return undefined;
	}
}
