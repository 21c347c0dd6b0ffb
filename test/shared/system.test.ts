import { expect, test } from "vitest";
import { defaultCacheDir } from "../../src/catalog/model/session-roots.ts";
import { journalPath } from "../../src/changes/journal/journal.ts";
import { xdgDir } from "../../src/shared/system.ts";

const HOME = "/home/ada";

test("a base directory comes from its variable, by default it is in the home directory", () => {
	expect(xdgDir("XDG_DATA_HOME", { XDG_DATA_HOME: "/data" }, HOME)).toBe("/data");
	expect(xdgDir("XDG_DATA_HOME", {}, HOME)).toBe("/home/ada/.local/share");
	expect(xdgDir("XDG_DATA_HOME", { XDG_DATA_HOME: "" }, HOME)).toBe("/home/ada/.local/share");
});

test("a relative path in the variable is ignored, for the index and for the journal", () => {
	expect(defaultCacheDir({ XDG_CACHE_HOME: "rel/cache" }, HOME)).toBe("/home/ada/.cache/pi-grove");
	expect(journalPath({ XDG_STATE_HOME: "./state" }, HOME)).toBe("/home/ada/.local/state/pi-grove/journal.jsonl");
});
