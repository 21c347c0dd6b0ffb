import type { Tone } from "../view.ts";
import type { Roles } from "./role.ts";

const BOLD: ReadonlySet<Tone> = new Set(["accent", "prompt", "current", "match", "warning", "error", "key", "heading"]);

/** The roles without colors: shapes alone. */
export const PLAIN_ROLES: Roles = {
	roleOf: (tone, ground) => ({
		foreground: "",
		background: "",
		bold: BOLD.has(tone) || ground === "cursor-beside" || ground === "prompt",
		dim: tone === "frame",
		underline: tone === "match" || tone === "link" || ground === "match",
		inverse: ground === "cursor",
	}),
	shellText: () => "",
	shellColor: () => "",
};
