import { keyOf } from "../../../catalog/model/live.ts";
import { isPinnedOrTagged } from "../../../catalog/model/marks.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { memoLast } from "../../../shared/memo.ts";
import { editedText } from "../../../ui/field/edit.ts";
import { formatCount, formatCounted, formatSize, shortenHome } from "../../../ui/text/format.ts";
import { type Line, span, strong } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { CANCEL, menu, sentence, subjectRow } from "../../world/screen/menus.ts";
import {
	type DestinationSubmit,
	type MenuItem,
	type MenuOverlay,
	type Move,
	openOverlay,
	type PromptOverlay,
} from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { type Hindrance, type LeftOut, type MovePlan, planMoves, routesOf, whyLeftOut } from "./plan-moves.ts";

/** At most this many pairs of directories are named in the question. */
const MAX_NAMED = 5;

/** How sessions are to be forked into other directories. */
interface Moving {
	/** Whether the originals are archived. */
	readonly archives?: boolean;
	/** Number of chosen directories without a known replacement. */
	readonly unplaced?: number;
	/** Further choices. */
	readonly more?: readonly MenuItem[];
}

/**
 * Asks before sessions are forked into other directories. The question is the dry run: how many sessions, how large, from where
 * to where, which are left out and why.
 */
export function moveQuestion(state: State, wanted: readonly Move[], moving: Moving = {}): MenuOverlay {
	const { archives = false, unplaced = 0, more = [] } = moving;
	const plan = planMoves(state.catalog.here, state.catalog.live, wanted);
	const { moves, left, runs } = plan;
	const facts = [
		moves.length,
		runs.length,
		left.length,
		sizeOf(moves),
		...moves.flatMap(({ uses }) => uses.map(keyOf)),
	].join(" ");
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
	const places = Object.fromEntries([...moves, ...runs].map(({ row, cwd }) => [row.path, cwd]));
	const heads = Object.fromEntries(runs.map(({ row, head }) => [row.path, head]));
	const where =
		new Set(Object.values(places)).size === 1
			? ` into ${shortenHome(moves[0]?.cwd ?? "", state.environment.home)}`
			: "";
	const type = archives ? "fix" : "fork";
	const fork = { type: "change-all", change: { type, places }, sessions: moves } as const;
	const forkAll = { ...fork, change: { type, places, heads }, sessions: [...moves, ...runs] } as const;
	const body = [
		[span(`${formatSize(sizeOf(moves))} to copy`, "muted")],
		...leftLines(state, left),
		...unplacedLines(state, unplaced),
		...possibleUseLines(state, plan),
		...routeLines(state, moves),
		...sentence(
			state,
			`The ${archives ? "originals go into the archive" : "sessions themselves are not changed"}${withMarks(state, moves)}.`,
			"muted",
		),
		...runLines(state, moves.length, runs),
	];
	const originals = moves.length === 1 ? "the original" : "the originals";
	const label = (what: string) => (archives ? `Fork ${what} and archive ${originals}` : `Fork ${what}`);
	const withRuns = `${whom} with ${formatCounted(runs.length, "run")}`;
	const family: readonly MenuItem[] = runs.length === 0 ? [] : [{ label: label(withRuns), effect: forkAll }];
	const items = [...family, { label: label(whom), effect: fork }, ...more, see, CANCEL];
	return { ...menu(`Fork ${whom}${where}?`, body, { items }), question };
}

/** What happens to the runs of subagents. */
function runLines(state: State, sessions: number, runs: MovePlan["runs"]): Line[] {
	if (runs.length === 0) return [];
	const whose = sessions === 1 ? "Its" : "Their";
	const what = `${formatCounted(runs.length, "subagent run")} (${formatSize(sizeOf(runs))})`;
	const stay = `${runs.length === 1 ? "stays" : "stay"} with the original${sessions === 1 ? "" : "s"}`;
	return sentence(state, `${whose} ${what} ${stay}, unless copied along.`, "muted");
}

/** Asks again after something has changed; the highlight is on the choice that does nothing. */
function askAgain(state: State, before: readonly Move[], moving: Moving): MenuOverlay {
	const wanted = before.flatMap(({ row: { path }, cwd }) => {
		const row = state.catalog.here.get(path);
		return row === undefined ? [] : [{ row, cwd }];
	});
	const asked = moveQuestion(state, wanted, moving);
	const changed = sentence(state, "This has changed since you were asked.", "warning");
	return { ...asked, body: [...changed, ...asked.body], index: asked.items.length - 1 };
}

/** Opens the list of all moves above the question. */
function seeEach(state: State, moves: readonly Move[], moving: Moving): State {
	const asked = openOverlay(state, moveQuestion(state, moves, moving));
	return openOverlay(asked, { kind: "help", page: "moves", top: 0, moves });
}

function sizeOf(moves: readonly Move[]): number {
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

/** Pins and tags stay with the original: a fork does not have them. */
function withMarks({ marks }: State, moves: MovePlan["moves"]): string {
	const hasMarks = moves.some(({ row }) => isPinnedOrTagged(row, marks));
	return hasMarks ? ", with their pins and tags" : "";
}

function unplacedLines(state: State, count: number): Line[] {
	if (count === 0) return [];
	const which = formatCounted(count, "directory has", "directories have");
	return sentence(state, `${which} no place yet, and ${count === 1 ? "is" : "are"} left out.`, "warning");
}

function possibleUseLines(state: State, { moves }: MovePlan): Line[] {
	const possible = moves.filter(({ uses }) => uses.length > 0).length;
	if (possible === 0) return [];
	const which = possible === 1 ? "1 of them" : `${formatCount(possible)} of them`;
	return sentence(
		state,
		`${which} may be in use: a pi runs in the directory. What it writes later is not in the fork.`,
		"warning",
	);
}

/** "~/old → ~/new  12 sessions", for the first pairs of directories. */
function routeLines({ environment: { home } }: State, moves: readonly Move[]): Line[] {
	const routes = routesOf(moves);
	const named = routes.length <= MAX_NAMED + 1 ? routes : routes.slice(0, MAX_NAMED);
	const lines = named.map(
		({ from, to, moves: each }): Line => [
			strong(sanitizeLine(shortenHome(from, home))),
			span(" → ", "muted"),
			span(sanitizeLine(shortenHome(to, home)), "accent"),
			span(`  ${formatCounted(each.length, "session")}`, "muted"),
		],
	);
	const rest = routes.length - named.length;
	return rest === 0 ? lines : [...lines, [span(`and ${formatCount(rest)} more directories`, "muted")]];
}

/** Asks where these sessions belong, or those of a directory that is gone; `before` is replaced when something is typed. */
export function destinationPrompt(
	submit: Exclude<DestinationSubmit, { readonly bring: string }>,
	before: string,
	home: string,
): PromptOverlay {
	const body: Line[] =
		"gone" in submit
			? [[strong(sanitizeLine(shortenHome(submit.gone, home)))], [span("Where its sessions belong now", "muted")]]
			: [
					subjectRow(submit.rows),
					[
						span(
							submit.rows.length === 1
								? "A fork goes there; the session itself stays as it is"
								: "Forks go there; the sessions themselves stay as they are",
							"muted",
						),
					],
				];
	return {
		kind: "prompt",
		title: "gone" in submit ? "The directory that is gone" : "Fork into another directory",
		body,
		value: { ...editedText(before), isSelected: true },
		submit,
	};
}

/** The sessions that would be forked, grouped by source and target, then those left out, each with the reason. */
export function eachMove(
	{ catalog: { here: rows, live }, environment: { home }, now }: State,
	wanted: readonly Move[],
): readonly Line[] {
	return linesOf(rows, live, wanted, home, now);
}

const linesOf = memoLast(
	(
		rows: State["catalog"]["rows"],
		live: State["catalog"]["live"],
		wanted: readonly Move[],
		home: string,
		now: number,
	): readonly Line[] => {
		const { moves, left } = planMoves(rows, live, wanted);
		const forked = routesOf(moves).flatMap(({ from, to, moves: each }): Line[] => [
			[
				strong(sanitizeLine(shortenHome(from, home))),
				span(" → ", "muted"),
				strong(sanitizeLine(shortenHome(to, home)), "accent"),
			],
			...each.map(({ row }): Line => [span(`  ${sessionTitle(row)}`), span(`  ${formatSize(row.size)}`, "muted")]),
		]);
		if (left.length === 0) return forked;
		const rest = left.map(
			({ row, hindrance }): Line => [
				span(`  ${sessionTitle(row)}`),
				span(`  ${sanitizeLine(whyLeftOut(hindrance, now))}`, "warning"),
			],
		);
		return [...forked, [strong("Left out", "warning")], ...rest];
	},
);
