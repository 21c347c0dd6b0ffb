import type { EditedFile } from "../../../edits/session-files.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { Feature } from "../../world/page/page.ts";
import { FILES_KEYS } from "./files-keys.ts";
import { FILES_PAGE } from "./files-page.ts";
import { applyFiles, applySum, type FileSum, type GatheredFiles } from "./files-state.ts";

export const FILES: Feature<FilesAction> = {
	page: FILES_PAGE,
	keys: { section: "Files", keys: FILES_KEYS },
	on: {
		"files-gathered": (state, action) => applyFiles(state, action),
		"file-summed": (state, { session, path, sum }) => applySum(state, session, path, sum),
	},
};

/** What can happen to it. */
type FilesAction =
	/** The edits of a session, as it was when they were asked for. */
	| ({ readonly type: "files-gathered" } & GatheredFiles)
	/** What all edits of a file come to. */
	| { readonly type: "file-summed"; readonly session: Session; readonly path: string; readonly sum: FileSum };

/** What it wants done outside. */
export type FilesEffect =
	/** Gather the edits of a session and of the runs below it, by their paths, and end the gathering that is running. */
	| {
			readonly type: "gather-files";
			readonly session: Session;
			readonly runs: readonly string[];
			readonly home: string;
	  }
	/** Find out what all edits of a file come to. */
	| { readonly type: "sum-file"; readonly session: Session; readonly file: EditedFile; readonly home: string };

declare module "../../world/state/action.ts" {
	interface Actions {
		readonly files: FilesAction;
	}
}

declare module "../../world/state/effect.ts" {
	interface Effects {
		readonly files: FilesEffect;
	}
}

declare module "../../world/state/overlays.ts" {
	interface Pages {
		readonly files: true;
	}
}
