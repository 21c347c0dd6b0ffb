import { expect, test } from "vitest";
import { Masker, NOTHING } from "../../../src/conversation/share/masker.ts";
import { rangesBesidePictures } from "../../../src/conversation/share/picture-data.ts";

const HEADS = { png: "\x89PNG\r\n\x1a\n", jpg: "\xff\xd8\xff\xe0", gif: "GIF89a", webp: "RIFF\0\0\0\0WEBP" };
const KEY = "ghp_0001zQ8xW3vK7rT2yU6nB1mC5dF9gH4jL0pS";
/** 20 letters that are also base64. */
const KEY_IN_BASE64 = "AKIAIOSFODNN7QWERTYU";

/** The base64 of a picture, with the letters of keys in it. */
function picture(head: string): string {
	return Buffer.from(head, "latin1").toString("base64").replace(/=+$/, "") + `+${KEY_IN_BASE64}/`.repeat(400);
}

const masker = (): Masker => new Masker({ allowed: new Set(), homes: [] });

test.each(Object.entries(HEADS))("the data of a %s is not read, what stands beside it is", (_, head) => {
	const data = picture(head);
	// It is what else would be masked.
	expect(masker().mask(` ${data.slice(20)}`, "e1")).toContain("‹key 1›");
	const text = `<img alt="${KEY}" src="data:image/x;base64,${data}"> and ${KEY} ${data}`;
	expect(rangesBesidePictures(text).map(([from, to]) => text.slice(from, to))).toEqual(text.split(data).slice(0, 2));
	const masked = masker().mask(text, "e1");
	expect(masked.split(data)).toEqual([`<img alt="‹key 1›" src="data:image/x;base64,`, '"> and ‹key 1› ', ""]);
	const learning = masker();
	expect(learning.learn(data, "e1")).toBe(NOTHING);
	expect([...learning.findings]).toEqual([]);
});

test("what is short, or begins like a picture only by chance, is read", () => {
	const long = "QUJD".repeat(2000);
	for (const text of [
		`iVBORw0KGgo${KEY}`,
		`/9j/${"x".repeat(3000)} ${KEY}`,
		"a/9j/b ".repeat(2000),
		`${long}/9j/${long}`,
	])
		expect(rangesBesidePictures(text)).toEqual([[0, text.length]]);
	expect(rangesBesidePictures("")).toEqual([]);
});
