import type { PlaceState } from "../../../catalog/model/event.ts";
import { editedText } from "../../../ui/field/edit.ts";
import { formatAgo, formatCounted, shortenHome } from "../../../ui/text/format.ts";
import { span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { change, type Key } from "../../world/keys/key.ts";
import { typeQuery, withScope } from "../../world/list/list-actions.ts";
import { CANCEL, menu, sentence } from "../../world/screen/menus.ts";
import { type MenuOverlay, openOverlay, type PromptOverlay } from "../../world/state/overlays.ts";
import { type State, transition } from "../../world/state/state.ts";

export type PlacesEffect =
	/** Go on with a session of another machine there, in this terminal. */
	| { readonly type: "resume-there"; readonly path: string; readonly entryId?: string | undefined }
	/** Find out whether its directory is on this machine, and which projects may be the same. */
	| {
			readonly type: "find-home";
			readonly path: string;
			readonly own: string | undefined;
			readonly projects: readonly string[];
	  }
	/** Make a session of this machine of one of another place, in this directory. */
	| { readonly type: "bring-here"; readonly path: string; readonly title: string; readonly cwd: string }
	/** Add the place that a text describes: its name, then a host or a directory. */
	| { readonly type: "add-place"; readonly text: string }
	| { readonly type: "remove-place"; readonly name: string };

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly places: PlacesEffect;
	}
}

// biome-ignore format: a table
export const PLACES_KEYS: readonly Key[] = [
	{ id: "places", name: "Other machines and directories…", synonyms: "places, hosts, ssh, remote, directories, servers", keys: [], contexts: ["list"],
		help: "other directories and machines with sessions: their state, and how to add or remove one",
		run: change((state) => openOverlay(state, placesMenu(state))) },
];

/** All places, each with how far it has answered, and a way to add one. */
function placesMenu(state: State): MenuOverlay {
	const { places } = state.catalog;
	const width = Math.max(0, ...places.map(({ name }) => name.length));
	return menu("Places: other machines and directories", places.length === 0 ? sentence(state, NONE) : [], {
		items: [
			...places.map((place) => ({
				label: `${place.name.padEnd(width)}  ${stateOf(place, state.now)}`,
				change: (now: State) => openOverlay(now, placeMenu(now, place)),
			})),
			{ label: "Add a place…", change: (now: State) => openOverlay(now, addPrompt()) },
			CANCEL,
		],
	});
}

const NONE = "Sessions in other directories and on other machines can be listed, searched, read and resumed from here.";

function placeMenu(state: State, place: PlaceState): MenuOverlay {
	const { name, kind, where, reason } = place;
	const address = kind === "dir" ? shortenHome(where, state.environment.home) : `ssh ${where}`;
	const body = [
		[span(sanitizeLine(address), "muted")],
		...(reason === undefined ? [] : sentence(state, reason, "warning")),
	];
	return menu(name, body, {
		items: [
			{ label: "Show only its sessions", change: (now: State) => typeQuery(now, `place:${name} `) },
			{
				label: reason === undefined ? "Show all places" : "Try again, and show all places",
				change: (now: State) => withScope(now, "everywhere"),
				effect: { type: "reach-places", isWanted: true },
			},
			{ label: "Remove it from the places: its sessions stay", effect: { type: "remove-place", name } },
			CANCEL,
		],
	});
}

/** "1,204 sessions", "not asked yet", "no answer". */
function stateOf({ phase, count, asOfMs }: PlaceState, now: number): string {
	const sessions = formatCounted(count, "session");
	const age = asOfMs === undefined ? "" : `, ${formatAgo(asOfMs, now)}`;
	if (phase === "listed") return sessions;
	if (phase === "unasked") return count === 0 ? "not asked yet" : `${sessions}${age}`;
	if (phase === "asking") return count === 0 ? "asking …" : `${sessions}${age}, asking …`;
	return count === 0 ? "no answer" : `no answer; ${sessions}${age}`;
}

function addPrompt(): PromptOverlay {
	return {
		kind: "prompt",
		title: "Add a place",
		body: [
			[span("A name, then a host as ssh takes it, or a directory:", "muted")],
			[span("mini ada@mini.local", "accent"), span("   ", "muted"), span("old /mnt/backup/.pi/agent", "accent")],
		],
		value: editedText(""),
		submit: (state, text) => transition(state, { type: "add-place", text }),
	};
}
