import fc from "fast-check";
import { expect, test } from "vitest";
import { remoteIn } from "../../../../src/catalog/git/git-notes.ts";

const config = (url: string): string =>
	`[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n\tfetch = +refs/*\n`;
const nameOf = (url: string): string => remoteIn(config(url), "/home/me/api");

test.each([
	["https://github.com/me/api.git", "github.com/me/api"],
	["https://github.com/me/api/", "github.com/me/api"],
	["https://me:token@GitHub.com/me/api.git", "github.com/me/api"],
	["ssh://git@github.com:22/me/api.git", "github.com/me/api"],
	["git@github.com:me/api.git", "github.com/me/api"],
	["github.com:me/api", "github.com/me/api"],
	["https://github.com/me/api.git?token=x#y", "github.com/me/api"],
	["file:///srv/git/api.git", "/srv/git/api"],
	["/srv/git/api.git", "/srv/git/api"],
	["../shared/api", "/home/me/shared/api"],
	['"https://github.com/me/api"', "github.com/me/api"],
	["https://user:p@ss/w@host/me/api", ""],
	["https://[", ""],
	["u:p@h/x", ""],
	["tok@h/x", ""],
	["user:password@github.com/me/api.git", ""],
	["//tok@github.com/me/api.git", ""],
	["./tok@2/x", "/home/me/api/tok@2/x"],
])("%s is %s", (url, name) => expect(nameOf(url)).toBe(name));

test("the remote called origin is used, otherwise the first; without a remote the name is empty", () => {
	const two = `[remote "fork"]\n\turl = git@a.org:x/y\n[remote "origin"]\n\turl = git@b.org:x/y\n`;
	expect(remoteIn(two, "/a")).toBe("b.org/x/y");
	expect(remoteIn(two.replace("origin", "other"), "/a")).toBe("a.org/x/y");
	for (const text of ["", "[core]", "url = git@a.org:x/y", "[remote]\nurl = git@a.org:x/y", '[remote "o"]\nurl ='])
		expect(remoteIn(text, "/a")).toBe("");
});

test("nothing that stands before the host gets into the name", () => {
	const secret = fc.stringMatching(/^[A-Za-z0-9:%~_-]{6,20}$/).map((text) => `S3CRET${text}`);
	const protocol = fc.constantFrom("https://", "http://", "ssh://", "git+ssh://", "");
	fc.assert(
		fc.property(protocol, secret, secret, (before, user, password) => {
			for (const who of [`${user}@`, `${user}:${password}@`, `${user}@${password}@`, `u:${password}@`]) {
				for (const end of before === "" ? [":", "/"] : ["/"]) {
					const name = nameOf(`${before}${who}github.com${end}me/api.git`);
					expect(name.toUpperCase()).not.toContain("S3CRET");
				}
			}
		}),
	);
});
