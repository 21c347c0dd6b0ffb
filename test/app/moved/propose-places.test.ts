import { expect, test } from "vitest";
import type { FoundPlace, PlaceReason } from "../../../src/app/features/moved/moved-state.ts";
import { neighborPlaces, proposalsOf, withNeighbors } from "../../../src/app/features/moved/propose-places.ts";
import { leastCpuMs } from "../../support/cpu-ms.ts";

const place = (directory: string, reason: PlaceReason): FoundPlace => ({ directory, reason });
const named = (directory: string, shared = 1): FoundPlace => place(directory, { kind: "name", shared });
const remote = (directory: string): FoundPlace => place(directory, { kind: "remote", remote: "github.com/me/api" });
const told = (found: readonly FoundPlace[]) =>
	proposalsOf(found).map(({ directory, certainty }) => `${directory} ${certainty}`);

test("one reason makes a place likely, one name possible, two reasons more", () => {
	expect(told([])).toEqual([]);
	expect(told([named("/b/src"), named("/a/long/src")])).toEqual(["/b/src 1", "/a/long/src 1"]);
	expect(told([named("/a/src"), named("/b/api/src", 2)])).toEqual(["/b/api/src 2", "/a/src 1"]);
	expect(told([named("/a/src"), place("/b/src", { kind: "forks", count: 3 }), named("/b/src")])).toEqual([
		"/b/src 3",
		"/a/src 1",
	]);
});

test("the only copy of the remote repository is sure; of several each is likely", () => {
	expect(told([named("/a/api"), remote("/b/renamed")])).toEqual(["/b/renamed 3", "/a/api 1"]);
	expect(told([remote("/a/one"), remote("/b/two"), named("/b/two")])).toEqual(["/b/two 3", "/a/one 2"]);
});

test("what lay beside a directory that was moved has moved with it, if it is there", () => {
	const found = new Map<string, readonly FoundPlace[]>([
		["/home/old/team/api", [named("/home/new/team/api", 2)]],
		["/home/old/team/web", [named("/home/new/team/web", 2)]],
		["/home/old/tool", []],
		["/home/old/gone", []],
		["/other/thing", []],
	]);
	const beside = neighborPlaces(found);
	expect(beside.get("/home/old/tool")).toEqual([place("/home/new/tool", { kind: "neighbors", count: 2 })]);
	// It is no neighbor of itself.
	expect(beside.get("/home/old/team/api")).toEqual([place("/home/new/team/api", { kind: "neighbors", count: 1 })]);
	expect(beside.get("/other/thing")).toEqual([]);
	const there = new Map([["/home/new/tool", { kind: "there" } as const]]);
	const all = withNeighbors(found, there);
	expect(told(all.get("/home/old/tool") ?? [])).toEqual(["/home/new/tool 2"]);
	expect(told(all.get("/home/old/gone") ?? [])).toEqual([]);
});

test("names that are common become likely where several agree", () => {
	const names = ["api", "web", "tool"];
	const found = new Map<string, readonly FoundPlace[]>(
		names.map((name) => [`/home/work/${name}`, [named(`/${name}s/${name}`), named(`/home/code/${name}`)]]),
	);
	const there = new Map(names.map((name) => [`/home/code/${name}`, { kind: "there" } as const]));
	const all = withNeighbors(found, there);
	expect(names.map((name) => told(all.get(`/home/work/${name}`) ?? [])[0])).toEqual([
		"/home/code/api 3",
		"/home/code/web 3",
		"/home/code/tool 3",
	]);
});

test("a directory that only has another name says nothing of its neighbors", () => {
	const found = new Map<string, readonly FoundPlace[]>([
		["/home/api", [remote("/home/renamed")]],
		["/home/web", []],
	]);
	expect(neighborPlaces(found).get("/home/web")).toEqual([]);
});

test("thousands of directories are proposed places in no time", () => {
	const found = new Map<string, readonly FoundPlace[]>(
		Array.from({ length: 5000 }, (_, index) => {
			const way = `team${index % 500}/project${index}`;
			return [`/home/old/${way}`, [named(`/home/new/${way}`, 2)]];
		}),
	);
	expect(neighborPlaces(found).get("/home/old/team1/project1")?.length).toBe(1);
	expect(leastCpuMs(() => neighborPlaces(found))).toBeLessThan(1000);
});
