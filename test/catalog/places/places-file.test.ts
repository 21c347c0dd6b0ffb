import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { addPlace, placesPath, readPlaces, removePlace } from "../../../src/catalog/places/places-file.ts";
import { StoreError } from "../../../src/store/files/store-error.ts";
import { tempDir } from "../../support/temp-dir.ts";

const home = "/home/ada";

/** The path of a file with this text; without a text there is none. */
function fileWith(text?: string): string {
	const path = placesPath({ XDG_CONFIG_HOME: tempDir() }, home);
	if (text !== undefined) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
	}
	return path;
}

const COMMENTED = `// My machines
[
  // in the rack
  { "name": "mini", "ssh": "mini.local" },
  { "name": "old", "dir": "~/old/agent" }, // a mirror
]
`;

test("a list with comments is read; directories are absolute", () => {
	const path = fileWith(COMMENTED);
	expect(readPlaces(path, home)).toEqual({
		places: [
			{ kind: "ssh", name: "mini", host: "mini.local" },
			{ kind: "dir", name: "old", path: "/home/ada/old/agent" },
		],
		problems: [],
	});
	for (const empty of [undefined, "", "\uFEFF\n", "\uFEFF[]"])
		expect(readPlaces(fileWith(empty), home)).toEqual({ places: [], problems: [] });
});

test("what is wrong is reported, and the other places are read", () => {
	const wrong = [
		{ name: "mini", ssh: "mini" },
		{ name: "mini", dir: "/x" },
		{ name: "here", dir: "/x" },
		{ name: "x", dir: "/x" },
		{ name: "both", dir: "/x", ssh: "x" },
		{ name: "neither" },
		{ name: "option", ssh: "-oProxyCommand=true" },
		{ name: "spaces", ssh: "a b" },
		{ name: "command", ssh: "a", command: 5 },
		{ dir: "/x" },
		7,
		{ name: "good", dir: "/good" },
	];
	const { places, problems } = readPlaces(fileWith(JSON.stringify(wrong)), home);
	expect(places.map(({ name }) => name)).toEqual(["mini", "good"]);
	expect(problems).toHaveLength(10);
	expect(problems[0]).toMatch(/^Place 2 in places\.json: the name mini is taken\. Path: /);
	expect(problems.join("\n")).toContain("-oProxyCommand=true is not a host for ssh");
});

test.each(["{", "5", '[{"name": "mini", "ssh": "mini"}', "\u0000"])(
	"a damaged file is reported, and never overwritten: %j",
	(text) => {
		const path = fileWith(text);
		expect(readPlaces(path, home).problems.length).toBeGreaterThan(0);
		expect(() => addPlace(path, { kind: "dir", name: "new", path: "/new" })).toThrow(StoreError);
		expect(() => removePlace(path, "mini")).toThrow(/the file is damaged in line 1; correct it first/);
		expect(readFileSync(path, "utf8")).toBe(text);
	},
);

test("places are added, replaced and removed; comments stay", () => {
	const path = fileWith(COMMENTED);
	addPlace(path, { kind: "ssh", name: "box", host: "ada@box", command: "~/bin/pi-grove" });
	addPlace(path, { kind: "ssh", name: "mini", host: "mini.lan" });
	expect(removePlace(path, "old")).toBe(true);
	expect(removePlace(path, "old")).toBe(false);
	expect(readPlaces(path, home)).toEqual({
		places: [
			{ kind: "ssh", name: "mini", host: "mini.lan" },
			{ kind: "ssh", name: "box", host: "ada@box", command: "~/bin/pi-grove" },
		],
		problems: [],
	});
	expect(readFileSync(path, "utf8")).toContain("// My machines\n[\n  // in the rack\n");
	const fresh = fileWith();
	addPlace(fresh, { kind: "dir", name: "old", path: "/old" });
	expect(JSON.parse(readFileSync(fresh, "utf8"))).toEqual([{ name: "old", dir: "/old" }]);
	expect(() => addPlace(join(fresh, "below"), { kind: "dir", name: "old", path: "/old" })).toThrow(
		/Cannot change the places/,
	);
});
