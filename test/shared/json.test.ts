import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printJson } from "../../src/shared/json.ts";

/** Deeper than `JSON.stringify` can print. */
const DEEP = 200_000;

function nested(levels: number): unknown {
	return JSON.parse(`${'[{"a":'.repeat(levels)}1${"}]".repeat(levels)}`);
}

describe("printJson", () => {
	test("prints what JSON.stringify prints, also with its own printer", () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.nat(2), (value, indent) => {
				const whole = JSON.stringify(value, undefined, indent);
				expect(printJson(value, { indent })).toBe(whole);
				expect(printJson(value, { indent, limit: whole.length + 1 })).toBe(whole);
			}),
		);
	});

	test("leaves out undefined fields and prints dates as strings", () => {
		const value = { a: undefined, b: [undefined], c: new Date(0) };
		expect(printJson(value, { limit: 1000 })).toBe(JSON.stringify(value));
	});

	test("calls toJSON of objects, at any depth", () => {
		const value = { own: { toJSON: () => ({ a: 1 }) }, field: { toJSON: 2 } };
		const deep = { deep: nested(DEEP), ...value };
		expect(printJson(value)).toBe('{"own":{"a":1},"field":{"toJSON":2}}');
		expect(printJson(deep).endsWith(',"own":{"a":1},"field":{"toJSON":2}}')).toBe(true);
	});

	test("prints values of any depth", () => {
		const value = nested(DEEP);
		expect(() => JSON.stringify(value)).toThrow(RangeError);
		expect(printJson(value)).toBe(`${'[{"a":'.repeat(DEEP)}1${"}]".repeat(DEEP)}`);
	});

	test("stops at the limit, whatever the size of the value", () => {
		const value = { text: "x".repeat(10_000_000), list: new Array(1_000_000).fill(nested(10)) };
		const started = printJson(value, { limit: 100 });
		expect(started.startsWith('{"text":"xxx')).toBe(true);
		expect(started.length).toBeLessThan(250);
	});
});
