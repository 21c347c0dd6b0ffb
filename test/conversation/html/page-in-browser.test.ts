import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inLong } from "../../support/cases.ts";
import { Browser, chromium } from "../../support/chromium.ts";
import { hostileLines } from "../../support/hostile-session.ts";
import { pageOf } from "../../support/page.ts";
import { createTempDir } from "../../support/temp-dir.ts";

/** The page in a real browser; skipped where none is installed. */
const inBrowser = (name: string, run: () => Promise<void>, timeoutMs = 60_000): void =>
	test.skipIf(chromium === undefined)(chromium === undefined ? `${name} (no Chromium here)` : name, run, timeoutMs);

const fixtures = join(import.meta.dirname, "..", "..", "..", "fixtures");
const directory = createTempDir();
const asked: string[] = [];
const server = createServer((request, response) => {
	asked.push(request.url ?? "");
	response.end();
});
let browser: Browser;
let hostile: string;
let plain: string;

beforeAll(async () => {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const session = join(directory.path, "hostile.jsonl");
	writeFileSync(session, hostileLines(join(fixtures, "conversation.jsonl"), address, 0));
	hostile = join(directory.path, "hostile.html");
	writeFileSync(hostile, await pageOf(session));
	plain = join(directory.path, "plain.html");
	writeFileSync(plain, await pageOf(join(fixtures, "conversation.jsonl")));
	if (chromium !== undefined) browser = await Browser.start(chromium);
});
afterAll(async () => {
	await browser?.close();
	server.close();
	directory.remove();
});

inBrowser("nothing of a hostile session is obeyed or loaded, with all of it unfolded", async () => {
	await browser.open(hostile, { width: 1200, height: 900 });
	const title = await browser.ask("document.title");
	expect(title).toContain("Refactor the import parser");
	await browser.ask("document.querySelectorAll('details').forEach((one) => { one.open = true; })");
	await browser.ask("document.querySelectorAll('*').forEach((one) => one.dispatchEvent(new MouseEvent('mouseover')))");
	// Whatever would be loaded is asked for before two frames are drawn.
	await browser.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
	expect(await browser.ask("document.title")).toBe(title);
	expect(await browser.ask("document.querySelectorAll('script, style, link, iframe, object, svg, base').length")).toBe(
		3,
	);
	expect([browser.requests, browser.complaints, asked]).toEqual([[], [], []]);
});

inBrowser("our own script runs, and what it folds can be folded without it", async () => {
	await browser.open(plain, { width: 1200, height: 900 }, "#e0000010");
	expect(await browser.ask("document.querySelector('.tools button').textContent")).toBe("unfold all");
	// The entry stands in a branch that was folded.
	expect(await browser.ask("document.getElementById('e0000010').closest('details.branch').open")).toBe(true);
	await browser.ask("document.querySelector('.tools button').click()");
	expect(await browser.ask("document.querySelectorAll('main details:not([open])').length")).toBe(0);
	await browser.withoutScripts(async () => {
		await browser.open(plain, { width: 1200, height: 900 });
		expect(await browser.ask("document.querySelector('.tools')")).toBe(null);
		await browser.ask("document.querySelector('.step:not([open]) > summary').click()");
		expect(await browser.ask("document.querySelector('.step').open")).toBe(true);
	});
	expect(browser.complaints).toEqual([]);
});

inBrowser(
	"light and dark, from a phone to a wide screen: nothing is wider than the page, all text can be read",
	async () => {
		for (const dark of [false, true]) {
			for (const width of inLong([320, 390, 800, 1400], [320, 1400])) {
				await browser.open(plain, { width, height: 900, dark });
				await browser.ask("document.querySelectorAll('main details').forEach((one) => { one.open = true; })");
				expect([width, await browser.ask("document.documentElement.scrollWidth <= innerWidth")]).toEqual([width, true]);
			}
			expect([dark, await browser.ask(UNREADABLE)]).toEqual([dark, []]);
		}
	},
);

inBrowser("on paper", async () => {
	await browser.open(plain, { width: 800, height: 900, dark: true });
	const pdf = await browser.paper();
	expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
	expect(await browser.ask("getComputedStyle(document.body).backgroundColor")).toBe("rgb(255, 255, 255)");
	expect(await browser.ask("getComputedStyle(document.querySelector('nav')).display")).toBe("none");
});

/** Texts whose contrast with what they stand on is below 4.5 (WCAG 2, AA). */
const UNREADABLE = `(() => {
	const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
	const over = (color, ground) => {
		canvas.fillStyle = ground; canvas.fillRect(0, 0, 1, 1);
		canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
		const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data;
		return "rgb(" + r + "," + g + "," + b + ")";
	};
	const light = (color) => {
		const [r, g, b] = color.match(/\\d+/g).map((part) => part / 255).map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const bad = new Set();
	for (const element of document.querySelectorAll("body *")) {
		if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "") || element.tagName === "SCRIPT") continue;
		const grounds = [];
		for (let at = element; at; at = at.parentElement) grounds.unshift(getComputedStyle(at).backgroundColor);
		const ground = grounds.reduce((below, color) => over(color, below), "rgb(255,255,255)");
		const text = over(getComputedStyle(element).color, ground);
		const [one, other] = [light(text), light(ground)].sort((a, b) => b - a);
		const contrast = (one + 0.05) / (other + 0.05);
		if (contrast < 4.5) bad.add(element.tagName + "." + element.className + " in " + element.parentElement.className + " " + text + " on " + ground + " " + contrast.toFixed(2));
	}
	return [...bad];
})()`;
