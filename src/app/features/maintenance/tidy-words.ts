import type { SessionRow } from "../../../catalog/model/row.ts";
import { projectKey } from "../../../store/files/paths.ts";
import { formatCount, formatCounted, formatSize, formatTime, shortenHome } from "../../../ui/text/format.ts";
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

const TINY = `under ${formatSize(MOST_TINY_BYTES)}`;

const GROUPS: Readonly<Record<Exclude<GroupId, "old">, GroupWords>> = {
	damaged: { sign: "✗", tone: "error", name: "Damaged", rule: "cut off, unreadable lines" },
	problems: { sign: "⚠", tone: "warning", name: "Problems", rule: "what could not be read" },
	gone: { sign: "⌂", tone: "warning", name: "Directory gone", rule: "the directory no longer exists" },
	duplicate: { sign: "=", tone: "muted", name: "Duplicate", rule: "another session has every entry" },
	empty: { sign: "∅", tone: "muted", name: "Empty or tiny", rule: `no answer, ${TINY}` },
	trash: { sign: "♲", tone: "muted", name: "In the trash", rule: "the system empties it, pi-grove never does" },
};

/** The name, sign and rule of a group. */
export function groupWords(id: GroupId, oldDays: number): GroupWords {
	if (id !== "old") return GROUPS[id];
	return { sign: "⧖", tone: "muted", name: `Older than ${formatCounted(oldDays, "day")}`, rule: "no message since" };
}

/** What the sessions of a kind are called, and the rule for them. */
interface KindWords {
	readonly name: string;
	readonly rule: string;
}

const KINDS: Readonly<Record<Exclude<TidyKind, "old">, KindWords>> = {
	duplicate: { name: "Duplicates", rule: "another session has all of it" },
	empty: { name: "Empty", rule: `no message; ${TINY}` },
	tiny: { name: "Tiny", rule: `at most one prompt, no answer or a failed one; ${TINY}` },
	orphaned: { name: "Orphaned", rule: "the directory is gone" },
};

/** The name of a kind, and its rule. */
export function kindWords(kind: TidyKind, oldDays: number): KindWords {
	return kind === "old" ? { name: "Old", rule: `no message for ${formatCounted(oldDays, "day")}` } : KINDS[kind];
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
	const name = projectKey(row.cwd) === projectKey(within.cwd) ? undefined : names.get(projectKey(within.cwd));
	return name === undefined ? "" : ` (${name.text})`;
}

/** How many sessions are not proposed, and why. */
export function keptWords(reason: KeptReason, count: number): string {
	const [is, has] = count === 1 ? ["is", "has"] : ["are", "have"];
	const rest: Readonly<Record<KeptReason, string>> = {
		"in-use": `${is} in use`,
		wanted: `${is} pinned or tagged, or ${has} a name or a label`,
		damaged: `${is} damaged: repair comes first`,
		archived: `${is} in the archive`,
		uncounted: `${has} not been counted yet, so a label may be in ${count === 1 ? "it" : "them"}`,
	};
	return `${formatCount(count)} more ${rest[reason]}`;
}
