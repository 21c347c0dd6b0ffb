import { statSync } from "node:fs";
import { vi } from "vitest";
import { MARGIN_MS } from "../../src/catalog/search/start-ahead.ts";

/** Resolves once a ripgrep that starts before the files are found searches these, too: the newest are left to another one. */
export async function oldEnough(paths: readonly string[]): Promise<void> {
	await vi.waitUntil(() => paths.every((path) => statSync(path).ctimeMs < Date.now() - MARGIN_MS));
}
