import type { Comment } from "../../src/catalog/model/marks.ts";

/** A comment on the third of five lines. */
export const COMMENT: Comment = {
	key: "k1",
	text: "Why twice?",
	atMs: 1,
	entry: "e1",
	path: "/work/api/a.ts",
	line: 40,
	kind: "added",
	lines: ["one", "two", "three", "four", "five"],
	index: 2,
};
