import { expect, test } from "vitest";
import { proposalsOf } from "../../../../src/app/features/maintenance/gone-groups.ts";
import type {
	DestinationReason,
	FoundDestination,
} from "../../../../src/app/features/maintenance/maintenance-state.ts";

const place = (directory: string, reason: DestinationReason): FoundDestination => ({ directory, reason });
const named = (directory: string, shared = 1): FoundDestination => place(directory, { kind: "name", shared });
const remote = (directory: string): FoundDestination =>
	place(directory, { kind: "remote", remote: "github.com/me/api" });
const proposals = (found: readonly FoundDestination[]) =>
	proposalsOf(found).map(({ directory, certainty }) => `${directory} ${certainty}`);

test("one reason makes a directory likely, a name alone possible, two reasons more certain", () => {
	expect(proposals([])).toEqual([]);
	expect(proposals([named("/b/src"), named("/a/long/src")])).toEqual(["/b/src 1", "/a/long/src 1"]);
	expect(proposals([named("/a/src"), named("/b/api/src", 2)])).toEqual(["/b/api/src 2", "/a/src 1"]);
	expect(proposals([named("/a/src"), place("/b/src", { kind: "files", count: 3, of: 4 }), named("/b/src")])).toEqual([
		"/b/src 3",
		"/a/src 1",
	]);
});

test("the only clone of the remote repository is certain; each of several is likely", () => {
	expect(proposals([named("/a/api"), remote("/b/renamed")])).toEqual(["/b/renamed 3", "/a/api 1"]);
	expect(proposals([remote("/a/one"), remote("/b/two"), named("/b/two")])).toEqual(["/b/two 3", "/a/one 2"]);
});
