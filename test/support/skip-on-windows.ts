import { beforeEach } from "vitest";
import { whyNotOnWindows } from "./not-on-windows.ts";

if (process.platform === "win32")
	beforeEach(({ task, skip }) => {
		const reason = whyNotOnWindows(task.fullName);
		if (reason !== undefined) skip(`not on Windows: ${reason}`);
	});
