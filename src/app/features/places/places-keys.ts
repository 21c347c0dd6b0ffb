import { change, type Key } from "../../world/keys/key.ts";
import { openOverlay } from "../../world/state/overlays.ts";
import { placesMenu } from "./places-menu.ts";

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

const LIST = ["list"] as const;

// biome-ignore format: a table
export const PLACES_KEYS: readonly Key[] = [
	{ id: "places", name: "Places…", synonyms: "machines, hosts, ssh, remote, directories, servers", keys: [], contexts: LIST,
		help: "other directories and machines with sessions: how far they have answered, and to add or remove one",
		run: change((state) => openOverlay(state, placesMenu(state))) },
];
