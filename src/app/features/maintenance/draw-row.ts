import { fileName, type SessionRow } from "../../../catalog/model/row.ts";
import type { TrashItem } from "../../../changes/engine/read-trash.ts";
import { countWords, findingSentence } from "../../../conversation/entries/finding-words.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { basename, dirname } from "../../../shared/paths.ts";
import { type Gravity, gravityOf } from "../../../store/doctor/finding.ts";
import { formatCount, formatCounted, formatSize, shortenHome, timeCell } from "../../../ui/text/format.ts";
import { type Line, type Span, span, strong, type Tone } from "../../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutText, cutTextStart, joinEnds, lineWidth, padText } from "../../../ui/text/width.ts";
import { fatesIn } from "../../world/list/gone-directories.ts";
import { type ProjectNames, projectNames } from "../../world/list/projects.ts";
import { type CellFacts, drawCells } from "../../world/list/row-cells.ts";
import type { SessionGroup } from "../../world/list/session-groups.ts";
import { MOST_TINY_BYTES } from "../../world/list/tidy-groups.ts";
import { placeColumns } from "../../world/state/list-columns.ts";
import type { State } from "../../world/state/state.ts";
import { keysOf } from "./chosen-rows.ts";
import type { DamagedSession } from "./damaged-sessions.ts";
import type { MaintenanceRow, RowGroup } from "./maintenance-rows.ts";
import { type GroupId, MAINTENANCE } from "./maintenance-state.ts";
import { rowOfItem, type TrashRows, trashRows } from "./trash-rows.ts";

interface Drawing {
	readonly width: number;
	readonly selected: boolean;
	readonly marked: boolean;
}

interface GroupWords {
	readonly sign: string;
	readonly tone: Tone;
	readonly name: string;
	/** What is in the group, in a few words. */
	readonly rule: string;
	/** As a sentence. */
	readonly howTo: string;
}

const FREED_LATER = "That frees nothing until you empty the system's trash.";

export const GROUP_WORDS: Readonly<Record<GroupId, GroupWords>> = {
	damaged: {
		...{ sign: "✗", tone: "error", name: "Damaged", rule: "cut off, unreadable lines" },
		howTo:
			"→ shows what is wrong with a session, enter repairs it after asking; the command “Check all listed sessions” looks for more.",
	},
	problems: {
		...{ sign: "⚠", tone: "warning", name: "Problems", rule: "what could not be read" },
		howTo: "→ lists them.",
	},
	gone: {
		...{ sign: "⌂", tone: "warning", name: "Missing directories", rule: "the directory no longer exists" },
		howTo:
			"Enter on a directory asks for its new path, forks its sessions there and archives the originals; the command “Archive” only archives the marked ones.",
	},
	empty: {
		...{ sign: "∅", tone: "muted", name: "Empty or tiny", rule: `no answer, under ${formatSize(MOST_TINY_BYTES)}` },
		howTo: `Space marks a session or a whole group; ctrl+d moves the marked sessions to the system's trash, from which undo restores them. ${FREED_LATER}`,
	},
	old: {
		...{ sign: "◷", tone: "muted", name: "Old and large", rule: "unused for 90 days, or over 1 MB" },
		howTo: `Enter on a row lists its sessions, the largest first; there ctrl+space marks them, and ctrl+d moves them to the system's trash. ${FREED_LATER}`,
	},
	trash: {
		...{ sign: "♲", tone: "muted", name: "In the trash", rule: "kept until you empty the system's trash" },
		howTo: "Enter on a session restores it.",
	},
};

/** From this width on, a heading shows the rule of its group. */
const RULE_FROM_WIDTH = 56;
const LEAST_NAME_WIDTH = 21;
const NAME_SHARE = 0.3;
const COUNT_WIDTH = 8;
/** From this width on, a row shows why it is listed, in this share of it. */
const WHY_FROM_WIDTH = 70;
const WHY_SHARE = 0.3;
/** Share of a row that a title keeps: the reason, the project and the size are more useful than a long title. */
const TITLE_SHARE = 0.3;
const COLUMNS = ["age", "size", "project"] as const;
/** Indentation of each level, in cells. */
const INDENT = 2;

export function drawMaintenanceRow(state: State): (row: MaintenanceRow, drawing: Drawing) => Line {
	const { catalog, environment, now } = state;
	const trashed = trashRows(state);
	const shared = { projects: projectNames(catalog.rows), home: environment.home, now };
	return (row, drawing) => {
		const { width, selected, marked } = drawing;
		const depth = row.parent === undefined ? 0 : row.parent.startsWith("group ") ? INDENT : 2 * INDENT;
		const cursor = span(selected ? "›" : " ", "accent");
		const indent = span(" ".repeat(depth));
		const start = [cursor, marked ? strong("✓", "current") : span(" "), indent];
		const room = width - 2 - depth;
		switch (row.type) {
			case "group":
				return [cursor, groupMark(state, row), ...drawGroup(row.group, width - 2)];
			case "undone": {
				const text = span(formatCounted(row.count, "undone fork"), "muted");
				return joinEnds([cursor, groupMark(state, row), indent, text], [], width);
			}
			case "directory":
				return [cursor, groupMark(state, row), ...drawDirectory(state, row.directory, width - 2)];
			case "old": {
				const { name, count, bytes } = row.old;
				const right = span(` ${formatSize(bytes)} `, "muted");
				const cells = nameWidth(width - 2) + 2 - INDENT;
				const text = `${name.padEnd(cells)}${formatCount(count).padStart(COUNT_WIDTH)}`;
				return joinEnds([cursor, span(" "), indent, span(text)], [right], width);
			}
			case "session":
				return [...start, ...drawSession(row.row, span(row.why, "muted"), room, shared)];
			case "damaged":
				return [...start, span(...SIGNS[row.gravity]), ...drawSession(row.row, damageWords(row), room - 2, shared)];
			case "finding": {
				const text = span(sanitizeLine(findingSentence(row.finding)), TONES[gravityOf(row.finding)]);
				return joinEnds([cursor, span(" "), indent, text], [], width);
			}
			case "trashed":
				return [...start, ...drawItem(row.item, trashed, room, shared)];
			case "problem":
				return joinEnds([...start, span(sanitizeLine(row.text), "warning")], [], width);
			case "note":
				return joinEnds([span("  "), indent, span(sanitizeLine(row.text), row.tone)], [], width);
		}
	};
}

/** Shows whether all sessions below a heading are marked, or some, or none. */
function groupMark(state: State, row: MaintenanceRow): Span {
	const { marked } = MAINTENANCE.of(state).marks;
	const keys = marked.size === 0 ? [] : keysOf(state, row);
	const count = keys.filter((key) => marked.has(key)).length;
	return count === 0 ? span(" ") : strong(count === keys.length ? "✓" : "·", "current");
}

function nameWidth(width: number): number {
	return Math.max(LEAST_NAME_WIDTH, Math.floor(width * NAME_SHARE));
}

/** "∅ Empty or tiny   150   no answer, under 100 KB   308 KB" */
function drawGroup({ id, count, bytes, note }: RowGroup, width: number): Line {
	const { sign, name, rule, tone } = GROUP_WORDS[id];
	const more = note ?? rule;
	const leftEnd = [
		span(`${sign} `, tone),
		strong(padText(cleanText(name), nameWidth(width)), "accent"),
		span(formatCount(count).padStart(COUNT_WIDTH)),
		...(width >= RULE_FROM_WIDTH ? [span(`   ${more}`, "muted")] : []),
	];
	return joinEnds(leftEnd, bytes === 0 ? [] : [span(` ${formatSize(bytes)} `, "muted")], width);
}

interface DrawingFacts {
	readonly projects: ProjectNames;
	readonly home: string;
	/** Unix ms. */
	readonly now: number;
}

function drawSession(row: SessionRow, why: Span, width: number, { projects, now }: DrawingFacts): Line {
	const facts: CellFacts = {
		row,
		counts: undefined,
		cost: undefined,
		activeMs: row.modified.getTime(),
		projects,
		isHere: false,
		ending: "",
		git: undefined,
		now,
	};
	const room = width < WHY_FROM_WIDTH ? 0 : Math.floor(width * WHY_SHARE);
	const columns = placeColumns(width - room, COLUMNS, { title: Math.floor(width * TITLE_SHARE) });
	const cells = drawCells(columns, facts);
	const title = row.name === undefined ? span(sessionTitle(row)) : strong(sessionTitle(row));
	const column = room === 0 ? [] : [span("  "), { ...why, text: padText(cutText(why.text, room), room) }];
	return joinEnds([title], [...column, ...cells, span(" ")], width);
}

const SIGNS: Readonly<Record<Gravity, readonly [text: string, tone: Tone]>> = {
	closed: ["✗ ", "error"],
	loses: ["! ", "warning"],
	odd: ["· ", "muted"],
};
const TONES = { closed: "error", loses: "warning", odd: "text" } as const;

/** The number of findings in a session; before it is examined, the first one that the list knows. */
function damageWords({ row, examination }: DamagedSession): Span {
	if (examination !== undefined) return span(sanitizeLine(countWords(examination).join(", ")), "muted");
	const first = row.diagnostics.find(({ severity }) => severity === "damage");
	return span(sanitizeLine(first === undefined ? "" : findingSentence(first)), "muted");
}

/** "~/work/web-shop   9"; of a directory that could not be checked, why. */
function drawDirectory(state: State, { key, rows }: SessionGroup, width: number): Line {
	const room = nameWidth(width) + 2 - INDENT;
	const count = formatCount(rows.length).padStart(COUNT_WIDTH);
	const fate = fatesIn(state).get(key);
	const why = fate?.kind === "unknown" ? [span(`   ${sanitizeLine(fate.why)}`, "warning")] : [];
	// A long path has the cells behind the count, which stands further right then.
	const most = Math.max(room, width - INDENT - COUNT_WIDTH - lineWidth(why));
	const path = cutTextStart(sanitizeLine(shortenHome(key, state.environment.home)), most);
	return joinEnds([span(" ".repeat(INDENT)), span(padText(path, room)), span(count), ...why], [], width);
}

/** From these widths on, a row of the trash shows the project, what deleted the session, and its size. */
const PROJECT_FROM_WIDTH = 70;
const WHO_FROM_WIDTH = 56;
const SIZE_FROM_WIDTH = 44;
const FOLDERS_FROM_WIDTH = 100;
const FOLDER_WIDTH = 10;
const PROJECT_SHARE = 0.24;
const WHO_WIDTH = 15;
const SIZE_WIDTH = 8;

function drawItem(item: TrashItem, rows: TrashRows, width: number, { home, now }: DrawingFacts): Line {
	const { deletedMs, isOurs, size, path, trashed, isListable } = item;
	const title = span(titleOfItem(item, rows), trashed === undefined || !isListable ? "muted" : "text");
	// Narrow rows show only the last folder of a project.
	const room = width < FOLDERS_FROM_WIDTH ? FOLDER_WIDTH : Math.floor(width * PROJECT_SHARE);
	const cwd = rowOfItem(item, rows)?.cwd ?? "";
	const directory = cwd === "" ? dirname(path) : cwd;
	const projectPath = width < FOLDERS_FROM_WIDTH ? fileName(directory) : shortenHome(directory, home);
	const project = cutTextStart(sanitizeLine(projectPath), room);
	const columns = [
		...(width >= PROJECT_FROM_WIDTH ? [span(`  ${padText(project, room)}`, "muted")] : []),
		...(width >= WHO_FROM_WIDTH
			? [span(`  ${(isOurs ? "pi-grove" : "another program").padEnd(WHO_WIDTH)}`, "muted")]
			: []),
		...(width >= SIZE_FROM_WIDTH ? [span(`  ${formatSize(size).padStart(SIZE_WIDTH)}`, "muted")] : []),
		span(`  ${timeCell(deletedMs, now, width)} `, "muted"),
	];
	return joinEnds([title], columns, width);
}

/** The title of a deleted session; the name of its file until that has been read. */
export function titleOfItem(item: TrashItem, rows: TrashRows): CleanText {
	const row = rowOfItem(item, rows);
	return row === undefined ? sanitizeLine(basename(item.path)) : sessionTitle({ ...row, path: item.path });
}
