import type { SessionRow } from "../../../catalog/model/row.ts";
import { startOfDay } from "../../../catalog/query/dates.ts";
import { formatDate } from "../../../ui/text/format.ts";
import { change, type Key, PANES } from "../../world/keys/key.ts";
import type { Feature } from "../../world/page/page.ts";
import { CANCEL, menu } from "../../world/screen/menus.ts";
import { isPage, type MenuItem, openHelp, openOverlay } from "../../world/state/overlays.ts";
import { type State, say } from "../../world/state/state.ts";

// biome-ignore format: a table
const STANDUP_KEYS: readonly Key[] = [
	{ id: "standup", name: "Standup…", synonyms: "yesterday, today, what did I do, report, daily, weekly", keys: [], contexts: PANES,
		help: "what was done in the last days, in all projects, to read and to copy", run: change(openDays) },
];

/** Days before today, what the time since then is called, and before how many days it ends, if not now. */
const DAYS: readonly (readonly [daysAgo: number, name: string, endsAgo?: number])[] = [
	[0, "Today"],
	[1, "Yesterday", 0],
	[1, "Since yesterday"],
	[2, "Since two days ago"],
	[3, "Since three days ago"],
	[7, "Since a week ago"],
	[14, "Since two weeks ago"],
];

/** Asks since which day; the last working day is highlighted. */
function openDays(state: State): State {
	const rows = [...state.catalog.rows.values()].filter(({ place }) => place === undefined);
	const width = Math.max(...DAYS.map(([, name]) => name.length));
	const items = DAYS.map(([daysAgo, name, endsAgo]): MenuItem => {
		const from = dayBefore(state.now, daysAgo);
		const to = endsAgo === undefined ? undefined : dayBefore(state.now, endsAgo);
		const title = `${to === undefined ? "Since " : ""}${formatDate(from)}`;
		return {
			label: `${name.padEnd(width)}  ${formatDate(from)}`,
			effect: { type: "read-standup", title, from, to, rows },
		};
	});
	const index = DAYS.findIndex(
		([daysAgo, , endsAgo]) => daysAgo > 0 && endsAgo === undefined && isWorkingDay(dayBefore(state.now, daysAgo)),
	);
	return openOverlay(state, menu("What was done", [], { index, items: [...items, CANCEL] }));
}

function dayBefore(now: number, days: number): number {
	const day = new Date(startOfDay(now));
	return day.setDate(day.getDate() - days);
}

function isWorkingDay(time: number): boolean {
	return new Date(time).getDay() % 6 !== 0;
}

export const STANDUP: Feature<StandupAction> = {
	keys: { section: "Program", keys: STANDUP_KEYS },
	on: {
		"standup-read"(state, { title, text }) {
			if (!state.overlays.every(isPage)) return say(state, "The standup is ready: ask for it again", "muted");
			return openHelp(state, "output", { title, text, isMarkdown: true });
		},
	},
};

type StandupAction = { readonly type: "standup-read"; readonly title: string; readonly text: string };

export type StandupEffect =
	/** Read what was done in these sessions in a time, as Markdown. `title`: what that is called; without `to`, until now. Unix ms. */
	{
		readonly type: "read-standup";
		readonly title: string;
		readonly from: number;
		readonly to?: number | undefined;
		readonly rows: readonly SessionRow[];
	};

declare module "../../world/state/action.ts" {
	interface Actions {
		readonly standup: StandupAction;
	}
}

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly standup: StandupEffect;
	}
}
