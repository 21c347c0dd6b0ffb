import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundledLicenses } from "../../scripts/bundled-licenses.ts";
import { tempDir } from "../support/temp-dir.ts";

const root = join(import.meta.dirname, "..", "..");

test("a package that comes without the text of its license has it all the same", async () => {
	const text = await bundledLicenses(["node_modules/yoga-layout/src/index.ts", "node_modules/react/index.js"], root);
	const yoga = text.slice(text.indexOf("yoga-layout "));
	expect(yoga).toContain("Copyright (c) Meta Platforms, Inc. and affiliates.");
	expect(yoga).toContain("Permission is hereby granted, free of charge");
});

test("one whose text is not known is named, and the build ends", async () => {
	const path = join(tempDir(), "node_modules", "bare");
	mkdirSync(path, { recursive: true });
	writeFileSync(join(path, "package.json"), JSON.stringify({ name: "bare", version: "1.0.0", license: "ISC" }));
	await expect(bundledLicenses(["node_modules/bare/index.js"], join(path, "..", ".."))).rejects.toThrow(
		"bare (ISC) comes without the text of its license",
	);
});
