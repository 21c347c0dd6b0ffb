import type { SessionRow } from "../../../catalog/model/row.ts";
import { formatCount, formatSize, formatTime, shortenHome } from "../../../ui/text/format.ts";
import type { Tone } from "../../../ui/text/line.ts";
import type { ProjectNames } from "../../world/list/projects.ts";
import type { GroupId } from "./maintenance-state.ts";
import { type KeptReason, MOST_TINY_BYTES, type TidyKind, type TidySession } from "./tidy-groups.ts";

interface GroupWords {
	readonly sign: string;
	readonly tone: Tone;
	readonly name: string;
	/** What is in the group, in a few words. */
	readonly rule: string;
}

/** The name, sign and rule of a group. */
export function groupWords(id: GroupId, oldDays: number): GroupWords {
	switch (id) {
		case "damaged":
			return { sign: "✗", tone: "error", name: "Damaged", rule: "cut off, unreadable lines" };
		case "problems":
			return { sign: "⚠", tone: "warning", name: "Problems", rule: "what could not be read" };
		case "gone":
			return { sign: "⌂", tone: "warning", name: "Directory gone", rule: "the directory no longer exists" };
		case "duplicate":
			return { sign: "=", tone: "muted", name: "Duplicate", rule: "another session has every entry" };
		case "empty":
			return {
				sign: "∅",
				tone: "muted",
				name: "Empty or tiny",
				rule: `no answer, under ${formatSize(MOST_TINY_BYTES)}`,
			};
		case "old":
			return {
				sign: "⧖",
				tone: "muted",
				name: `Older than ${formatCount(oldDays)} days`,
				rule: "no message since",
			};
		case "trash":
			return {
				sign: "♲",
				tone: "muted",
				name: "In the trash",
				rule: "the system empties it, pi-grove never does",
			};
	}
}

const TINY = `under ${formatSize(MOST_TINY_BYTES)}`;

/** The name of a group, and its rule. */
export function kindWords(kind: TidyKind, oldDays: number): { readonly name: string; readonly rule: string } {
	switch (kind) {
		case "duplicate":
			return { name: "Duplicates", rule: "another session has all of it" };
		case "empty":
			return { name: "Empty", rule: `no message; ${TINY}` };
		case "tiny":
			return { name: "Tiny", rule: `at most one prompt, no answer or a failed one; ${TINY}` };
		case "orphaned":
			return { name: "Orphaned", rule: "the directory is gone" };
		case "old":
			return { name: "Old", rule: `no message for ${formatCount(oldDays)} days` };
	}
}

/** Why a session is in its group, in a few words; a directory, which is cut at its start, alone. */
export function whyWords(
	{ kind, row, within }: TidySession,
	projects: ProjectNames,
	home: string,
	now: number,
): string {
	switch (kind) {
		case "duplicate":
			return within === undefined ? "" : `in ${relationWords(row, within)}${projectWords(row, within, projects)}`;
		case "empty":
			return "no message";
		case "tiny":
			return "no answer";
		case "orphaned":
			return shortenHome(row.cwd, home);
		case "old":
			return formatTime(row.modified.getTime(), now);
	}
}

/** How the session that contains a duplicate is related to it. */
function relationWords(row: SessionRow, within: SessionRow): string {
	if (row.id !== "" && row.id === within.id) return "another copy";
	if (within.parentSession === row.path) return "its fork";
	return row.parentSession === within.path ? "its parent" : "another fork";
}

function projectWords(row: SessionRow, within: SessionRow, { names }: ProjectNames): string {
	const name = row.cwd === within.cwd ? undefined : names.get(within.cwd);
	return name === undefined ? "" : ` (${name.text})`;
}

/** How many sessions are not proposed, and why. */
export function keptWords(reason: KeptReason, count: number): string {
	const [is, has] = count === 1 ? ["is", "has"] : ["are", "have"];
	const more = `${formatCount(count)} more`;
	switch (reason) {
		case "in-use":
			return `${more} ${is} in use`;
		case "wanted":
			return `${more} ${is} pinned or tagged, or ${has} a name or a label`;
		case "damaged":
			return `${more} ${is} damaged: repair comes first`;
		case "archived":
			return `${more} ${is} in the archive`;
		case "uncounted":
			return `${more} ${has} not been counted yet, so a label may be in ${count === 1 ? "it" : "them"}`;
	}
}
