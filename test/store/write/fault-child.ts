/** A process that writes once and is killed before its n-th system call (0: never). Prints the names of the calls as JSON. */
import { faultyFileSystem, shortWrites } from "../../support/faulty-file-system.ts";
import { WRITE_CASES } from "../../support/write-cases.ts";

const [name = "", path = "", killBefore = "0", kind = ""] = process.argv.slice(2);
const calls: string[] = [];
const fs = faultyFileSystem((call, count) => {
	calls.push(call);
	if (count === Number(killBefore)) process.kill(process.pid, "SIGKILL");
});
WRITE_CASES[name]?.write(path, kind === "short" ? shortWrites(fs) : fs);
process.stdout.write(JSON.stringify(calls));
