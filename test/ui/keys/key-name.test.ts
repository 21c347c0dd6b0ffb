import { expect, test } from "vitest";
import { parseKey } from "../../../src/ui/keys/key-name.ts";

test.each([
	["shift+l", "L"],
	["esc", "escape"],
	["return", "enter"],
	["alt+ctrl+x", "ctrl+alt+x"],
	["shift+ctrl+o", "ctrl+shift+o"],
	["super+alt+shift+ctrl+f5", "ctrl+shift+alt+super+f5"],
	["ctrl++", "ctrl++"],
	["+", "+"],
	["ctrl+1", "ctrl+1"],
	["ctrl+-", "ctrl+_"],
	["ctrl+_", "ctrl+_"],
	["ctrl+alt+]", "ctrl+alt+]"],
	["space", " "],
	["ctrl+space", "ctrl+space"],
	["pageUp", "pageUp"],
	["shift+f12", "shift+f12"],
])("%s is the key %j", (written, pressed) => expect(parseKey(written)).toBe(pressed));

test.each(["", "L", "ctrl+", "ctrl+ctrl+x", "f13", "hyper+x", "ctrl-x", "pageup", "ctrl+ab", " ", "é", "toString"])(
	"%j is no key",
	(written) => expect(parseKey(written)).toBeUndefined(),
);
