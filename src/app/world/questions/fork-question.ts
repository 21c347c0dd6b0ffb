import { keyOf, type LiveReport } from "../../../catalog/model/live.ts";
import { isPinnedOrTagged } from "../../../catalog/model/marks.ts";
import { isSession, type SessionRow } from "../../../catalog/model/row.ts";
import { placeOf } from "../../../changes/engine/change-all.ts";
import { guard, type Shown } from "../../../changes/guard/guard.ts";
import { memoLast } from "../../../shared/memo.ts";
import { projectKey } from "../../../store/files/paths.ts";
import { formatCount, formatCounted, formatSize, shortenHome } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { familiesOf, runsBelow } from "../list/families.ts";
import { CANCEL, menu, sentence } from "../screen/menus.ts";
import type { MenuItem, MenuOverlay } from "../state/overlays.ts";
import type { State } from "../state/state.ts";

/** Where sessions are forked to, and what becomes of the originals. */
export interface ForkTarget {
	/** Absolute. */
	readonly to: string;
	/** Set if sessions of directories below this one go to the same places below `to`. */
	readonly from?: string;
	readonly archives: boolean;
}

/** Sessions that would be forked, and how many would not, by the reason. */
interface ForkPlan {
	readonly free: readonly Shown[];
	readonly left: ReadonlyMap<string, number>;
}

/** Asks before sessions are forked into another directory. The question is a dry run: how many, how large, what is left out and why. */
export function forkQuestion(state: State, rows: readonly SessionRow[], target: ForkTarget): MenuOverlay {
	const { to, from, archives } = target;
	const { free, left } = planForks(rows, target, state.catalog.here, state.catalog.live);
	const going = free.map(({ row }) => row);
	const bytes = going.reduce((sum, { size }) => sum + size, 0);
	const uses = free.flatMap((shown) => shown.uses.map(keyOf));
	const facts = [going.length, bytes, ...left.values(), ...uses].join(" ");
	const question = { facts, ask: (now: State) => askAgain(now, rows, target) };
	if (free.length === 0) {
		const body = [...sentence(state, "Nothing is left to be forked."), ...leftLines(state, left)];
		return { ...menu("Nothing to fork", body, { items: [{ label: "Close" }] }), question };
	}
	const whom = formatCounted(free.length, "session");
	const originals = free.length === 1 ? "the original" : "the originals";
	const change = { type: "fork", to, archives, ...(from !== undefined && { from }) } as const;
	const fork: MenuItem = {
		label: archives ? `Fork ${whom} and archive ${originals}` : `Fork ${whom}`,
		effect: { type: "change-all", change, sessions: free },
	};
	const body = [
		[span(`${formatSize(bytes)} to copy`, "muted")],
		...leftLines(state, left),
		...possibleUseLines(state, free),
		...originalLines(state, going, archives),
	];
	const title = `Fork ${whom} into ${shortenHome(to, state.environment.home)}?`;
	return { ...menu(title, body, { items: [fork, CANCEL] }), question };
}

/** Asks again after something has changed; the highlight is on the choice that does nothing. */
function askAgain(state: State, before: readonly SessionRow[], target: ForkTarget): MenuOverlay {
	const asked = forkQuestion(
		state,
		before.flatMap(({ path }) => state.catalog.here.get(path) ?? []),
		target,
	);
	const changed = sentence(state, "This has changed since you were asked.", "warning");
	return { ...asked, body: [...changed, ...asked.body], index: asked.items.length - 1 };
}

const planForks = memoLast(
	(
		rows: readonly SessionRow[],
		target: ForkTarget,
		all: ReadonlyMap<string, SessionRow>,
		live: LiveReport,
	): ForkPlan => {
		const free: Shown[] = [];
		const left = new Map<string, number>();
		for (const row of rows) {
			const why = whyLeftOut(row, projectKey(placeOf(row, target)), all, live);
			if (why === undefined) free.push({ row, uses: guard("take", live, row).uses });
			else left.set(why, (left.get(why) ?? 0) + 1);
		}
		return { free, left };
	},
);

/** Why a session is not forked into a project, in a few words; undefined if it is. */
function whyLeftOut(
	row: SessionRow,
	project: string,
	all: ReadonlyMap<string, SessionRow>,
	live: LiveReport,
): string | undefined {
	if (!isSession(row)) return "that pi cannot open";
	if (projectKey(row.cwd) === project) return "of that directory";
	const forks = forksOf(all).get(row.path) ?? [];
	if (forks.some(({ cwd }) => projectKey(cwd) === project)) return "forked there already";
	return guard("take", live, row).decision === "refuse" ? "in use" : undefined;
}

const forksOf = memoLast((rows: ReadonlyMap<string, SessionRow>): ReadonlyMap<string, readonly SessionRow[]> => {
	const forks = rows.values().filter(({ parentSession = "" }) => parentSession !== "");
	return Map.groupBy(forks, ({ parentSession = "" }) => parentSession);
});

/** "2 are left out: 1 in use, 1 that pi cannot open." */
function leftLines(state: State, left: ForkPlan["left"]): Line[] {
	if (left.size === 0) return [];
	const count = left.values().reduce((sum, one) => sum + one, 0);
	const kinds = [...left].map(([why, one]) => `${formatCount(one)} ${why}`);
	const which = count === 1 ? "1 is left out" : `${formatCount(count)} are left out`;
	return sentence(state, `${which}: ${kinds.join(", ")}.`, "warning");
}

function possibleUseLines(state: State, free: readonly Shown[]): Line[] {
	const possible = free.filter(({ uses }) => uses.length > 0).length;
	if (possible === 0) return [];
	const which = possible === 1 ? "1 of them" : `${formatCount(possible)} of them`;
	return sentence(
		state,
		`${which} may be in use: a pi runs in the directory. What it writes later is not in the fork.`,
		"warning",
	);
}

/** What becomes of the originals, of their marks, which a fork does not have, and of their runs of subagents. */
function originalLines(state: State, going: readonly SessionRow[], archives: boolean): Line[] {
	const marks = going.some((row) => isPinnedOrTagged(row, state.marks)) ? ", with their pins and tags" : "";
	const where = archives ? "The originals go into the archive" : "The sessions themselves are not changed";
	const families = familiesOf(state.catalog.rows);
	const runs = new Set(going.flatMap((row) => runsBelow(row, families))).size;
	const stay = `${formatCounted(runs, "subagent run")} ${runs === 1 ? "stays" : "stay"} with the originals`;
	return [
		...sentence(state, `${where}${marks}.`, "muted"),
		...(runs === 0 ? [] : sentence(state, `Their ${stay}.`, "muted")),
	];
}
