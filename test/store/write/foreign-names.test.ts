import { expect, test } from "vitest";
import { namesOfRepositories, whyRefused } from "../../../src/store/write/foreign-names.ts";

test.each([
	".git",
	".GIT/config",
	"a/.Git/hooks/x",
	".g\u200cit/config",
	"\ufeff.git/x",
	".gi\u00adt",
	"git~1/config",
	"GIT~2",
	"GI7EBA~1/x",
	".git::$INDEX_ALLOCATION/config",
	".git:x",
	".git./config",
	".git /config",
	".git. . /x",
	"a\\.git\\config",
	"..",
	"../x",
	"a/../../x",
	"",
	".",
	"a\0b",
	"n".repeat(256),
])("%j is refused", (name) => {
	expect(whyRefused(name)).toBeDefined();
});

test.each([
	".gitignore",
	".github/x",
	"git/x",
	"a.git",
	"git~x",
	".g.it",
	"..a/b",
	"a..b",
	"__proto__",
	"é".repeat(127),
])("%j may be written", (name) => {
	expect(whyRefused(name)).toBeUndefined();
});

test.each([
	[["HEAD", "objects/x", "refs/x", "config", "readme"], [], ["HEAD", "objects/x", "refs/x", "config"]],
	[["a/b/head", "a/b/OBJECTS/x", "a/b/Refs/x"], [], ["a/b/head", "a/b/OBJECTS/x", "a/b/Refs/x"]],
	[["H\u200dEAD", "objects./x", "refs::$INDEX_ALLOCATION/x"], [], "all"],
	[["HEAD", "commondir"], [], "all"],
	[["HEAD"], ["objects", "refs"], "all"],
	[["d/config"], ["d/HEAD", "d/objects", "d/refs"], "all"],
	[["config/app.yml", "refs/x", "objects/y"], [], []],
	[["HEAD", "a/objects/x", "b/refs/x"], [], []],
	[["d/readme"], ["d/HEAD", "d/objects", "d/refs"], []],
])("of %j beside %j those that make a repository are %j", (names, there, refused) => {
	expect([...namesOfRepositories(names, there)]).toEqual(refused === "all" ? names : refused);
});
