import { expect, test } from "vitest";
import { parseKeybindings } from "../../../../src/app/core/keys/keybindings.ts";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";

test("one key, several, none, and an action that pi does not have", () => {
	const text = `\uFEFF{
		"$schema": "https://pi.dev/schemas/keybindings.schema.json",
		"app.session.rename": "ctrl+e",
		"app.session.delete": [],
		"tui.select.down": ["down", "ctrl+j"],
		"__proto__": "x",
		"app.model.select": null,
		"something.else": { "key": "ctrl+y" }
	}`;
	const { keys, problems } = parseKeybindings(text);
	expect(problems).toEqual([]);
	expect(keys).toEqual({
		"app.session.rename": ["ctrl+e"],
		"app.session.delete": [],
		"tui.select.down": ["down", "ctrl+j"],
	});
});

test("every pi action that the keymap names is read", () => {
	for (const { pi } of KEYMAP)
		if (pi !== undefined) expect(parseKeybindings(`{"${pi}": []}`).keys).toEqual({ [pi]: [] });
});

test("names of actions from before pi 0.61 apply, unless the new one is present too", () => {
	expect(parseKeybindings('{"selectDown": "ctrl+j"}').keys).toEqual({ "tui.select.down": ["ctrl+j"] });
	const both = '{"selectDown": "ctrl+j", "tui.select.down": "down"}';
	expect(parseKeybindings(both).keys).toEqual({ "tui.select.down": ["down"] });
});

test.each(["null", "5", "true", '{"a": 1}', '["ctrl+x", 5]', "[[]]"])(
	"%s for an action is reported, and the other actions hold",
	(value) => {
		const { keys, problems } = parseKeybindings(`{"app.session.rename": ${value}, "app.session.delete": "ctrl+e"}`);
		expect(keys).toEqual({ "app.session.delete": ["ctrl+e"] });
		expect(problems).toEqual([
			'app.session.rename must be a key or a list of keys, such as "ctrl+x" or []; its default keys apply until you correct it.',
		]);
	},
);

test.each(["[]", "null", '"ctrl+x"', "5"])("%s is not a keybindings.json", (text) => {
	expect(parseKeybindings(text)).toMatchObject({ keys: {}, problems: [expect.stringContaining("must be an object")] });
});

test.each([
	['{\n"a": "b",\n}', 3],
	['{\n"a": x\n}', 2],
	["{\n'a': 'b'\n}", 2],
	['{\n// mine\n"a": []\n}', 2],
	['{\n"a": [1,]\n}', 2],
	['{\n"a": "b"\n', 2],
	["", 1],
	["nonsense", 1],
	["{}\n\n}", 3],
])("%j is not JSON in line %i", (text, line) => {
	expect(parseKeybindings(text).problems).toEqual([expect.stringMatching(new RegExp(`^Line ${line} is not JSON: .+`))]);
});
