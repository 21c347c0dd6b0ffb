import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { patchInk } from "../../scripts/ink-patches.ts";

/** Files that share a process run this once each. */
const marks = globalThis as { inkIsPatched?: boolean };

/** Has the tests draw with the Ink that is in the bundle. */
if (!marks.inkIsPatched)
	registerHooks({
		load(url, context, next) {
			const loaded = next(url, context);
			if (!url.startsWith("file:") || !loaded.source) return loaded;
			const source = typeof loaded.source === "string" ? loaded.source : new TextDecoder().decode(loaded.source);
			const patched = patchInk(fileURLToPath(url), source);
			return patched === undefined ? loaded : { ...loaded, source: patched };
		},
	});
marks.inkIsPatched = true;
