import { keyOf } from "../../../catalog/model/live.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { editedText } from "../../../ui/field/edit.ts";
import { TEXT_START } from "../../../ui/page/text-blocks.ts";
import { formatCount, formatCounted, formatSize, shortenHome } from "../../../ui/text/format.ts";
import type { Line } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span, strong } from "../../../ui/text/span.ts";
import { CANCEL, menu, sentence, titleRow } from "../../world/screen/menus.ts";
import type { MenuItem, MenuOverlay, PlaceSubmit, PromptOverlay } from "../../world/state/overlays.ts";
import { type Move, openOverlay } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { type Hindrance, type LeftOut, type MovePlan, planMoves, waysOf } from "./plan-moves.ts";

/** So many ways are named in the question. */
const MOST_NAMED = 5;

/** How sessions are to be forked into other directories. */
interface Moving {
	/** Whether the sessions themselves go into the archive. */
	readonly archives?: boolean;
	/** Directories that were chosen, too, and have no place yet. */
	readonly unplaced?: number;
	/** What can be chosen besides. */
	readonly more?: readonly MenuItem[];
}

/**
 * Asks before sessions are forked into other directories: how many, how large, from where to where, which are left out and
 * why. Nothing is done by it: it is the dry run.
 */
export function moveQuestion(state: State, wanted: readonly Move[], moving: Moving = {}): MenuOverlay {
	const { archives = false, unplaced = 0, more = [] } = moving;
	const plan = planMoves(state.catalog.rows, state.catalog.live, wanted);
	const { moves, left } = plan;
	const facts = [moves.length, left.length, sizeOf(moves), ...moves.flatMap(({ uses }) => uses.map(keyOf))].join(" ");
	const question = { facts, ask: (now: State) => askAgain(now, wanted, moving) };
	const see: MenuItem = { label: "See each of them", change: (now) => seeEach(now, wanted, moving) };
	if (moves.length === 0) {
		const body = [
			...sentence(state, "Nothing is left to be forked."),
			...leftLines(state, left),
			...unplacedLines(state, unplaced),
		];
		return { ...menu("Nothing to fork", body, { items: [{ label: "Close" }, ...more, see] }), question };
	}
	const whom = formatCounted(moves.length, "session");
	const places = Object.fromEntries(moves.map(({ row, cwd }) => [row.path, cwd]));
	const where =
		new Set(Object.values(places)).size === 1
			? ` into ${shortenHome(moves[0]?.cwd ?? "", state.environment.home)}`
			: "";
	const type = archives ? "fix" : "fork";
	const fork = { type: "change-all", change: { type, places }, sessions: moves } as const;
	const body = [
		sumLine(moves),
		...leftLines(state, left),
		...unplacedLines(state, unplaced),
		...possibleUse(state, plan),
		...wayLines(state, moves),
		...sentence(
			state,
			`The ${archives ? "originals go into the archive" : "sessions themselves are not changed"}${withMarks(state, moves)}.`,
			"muted",
		),
	];
	const originals = moves.length === 1 ? "the original" : "the originals";
	const label = archives ? `Fork ${whom} and archive ${originals}` : `Fork ${whom}`;
	const asked = menu(`Fork ${whom}${where}?`, body, { items: [{ label, effect: fork }, ...more, see, CANCEL] });
	return { ...asked, question };
}

/** The question after something has changed: the highlight is on what does nothing. */
function askAgain(state: State, before: readonly Move[], moving: Moving): MenuOverlay {
	const wanted = before.flatMap(({ row: { path }, cwd }) => {
		const row = state.catalog.rows.get(path);
		return row === undefined ? [] : [{ row, cwd }];
	});
	const asked = moveQuestion(state, wanted, moving);
	const changed = sentence(state, "This has changed since you were asked.", "warning");
	return { ...asked, body: [...changed, ...asked.body], index: asked.items.length - 1 };
}

/** The list of all, above the question. */
function seeEach(state: State, moves: readonly Move[], moving: Moving): State {
	const asked = openOverlay(state, moveQuestion(state, moves, moving));
	return openOverlay(asked, { kind: "help", page: "moves", top: TEXT_START, moves });
}

function sumLine(moves: MovePlan["moves"]): Line {
	return [span(`${formatSize(sizeOf(moves))} to copy`, "muted")];
}

function sizeOf(moves: MovePlan["moves"]): number {
	return moves.reduce((sum, { row }) => sum + row.size, 0);
}

const LEFT_OUT: Readonly<Record<Hindrance["kind"], string>> = {
	same: "of that directory",
	forked: "forked there already",
	"in-use": "in use",
	"no-session": "that pi cannot open",
};

/** "2 are left out: …", with a reason for each kind. */
function leftLines(state: State, left: readonly LeftOut[]): Line[] {
	if (left.length === 0) return [];
	const kinds = [...Map.groupBy(left, ({ hindrance }) => hindrance.kind)].map(
		([kind, each]) => `${formatCount(each.length)} ${LEFT_OUT[kind]}`,
	);
	const which = left.length === 1 ? "1 is left out" : `${formatCount(left.length)} are left out`;
	return sentence(state, `${which}: ${kinds.join(", ")}.`, "warning");
}

/** Pins and tags are of a session, not of its forks. */
function withMarks({ marks }: State, moves: MovePlan["moves"]): string {
	const hasMarks = moves.some(({ row: { id } }) => marks.pinned.has(id) || marks.tags.has(id));
	return hasMarks ? ", with their pins and tags" : "";
}

function unplacedLines(state: State, count: number): Line[] {
	if (count === 0) return [];
	const which = formatCounted(count, "directory has", "directories have");
	return sentence(state, `${which} no place yet, and ${count === 1 ? "is" : "are"} left out.`, "warning");
}

function possibleUse(state: State, { moves }: MovePlan): Line[] {
	const possible = moves.filter(({ uses }) => uses.length > 0).length;
	if (possible === 0) return [];
	const which = possible === 1 ? "1 of them" : `${formatCount(possible)} of them`;
	return sentence(
		state,
		`${which} may be in use: a pi runs in the directory. What it writes later is not in the fork.`,
		"warning",
	);
}

/** "~/old → ~/new: 12 sessions", for some. */
function wayLines({ environment: { home } }: State, moves: readonly Move[]): Line[] {
	const ways = waysOf(moves);
	const named = ways.length <= MOST_NAMED + 1 ? ways : ways.slice(0, MOST_NAMED);
	const lines = named.map(
		({ from, to, moves: each }): Line => [
			strong(sanitizeLine(shortenHome(from, home))),
			span(" → ", "muted"),
			span(sanitizeLine(shortenHome(to, home)), "accent"),
			span(`  ${formatCounted(each.length, "session")}`, "muted"),
		],
	);
	const rest = ways.length - named.length;
	return rest === 0 ? lines : [...lines, [span(`and ${formatCount(rest)} more directories`, "muted")]];
}

/** Asks where these sessions belong, or those of a directory that is gone; `before` is replaced when something is typed. */
export function placePrompt(submit: PlaceSubmit, before: string, home: string): PromptOverlay {
	const body: Line[] =
		"gone" in submit
			? [[strong(sanitizeLine(shortenHome(submit.gone, home)))], [span("Where its sessions belong now", "muted")]]
			: [titleRow(whom(submit.rows)), [span("Each is forked into it; itself it stays as it is", "muted")]];
	return {
		kind: "prompt",
		title: "gone" in submit ? "The directory that is gone" : "Move to a project",
		body,
		value: { ...editedText(before), isSelected: true },
		submit,
	};
}

function whom(rows: readonly SessionRow[]): ReturnType<typeof sanitizeLine> {
	const [first] = rows;
	return first !== undefined && rows.length === 1
		? sessionTitle(first)
		: sanitizeLine(formatCounted(rows.length, "session"));
}
