import fc from "fast-check";
import { expect, test } from "vitest";
import { findMail, findProofs } from "../../../src/conversation/share/find-addresses.ts";
import { findAll } from "../../../src/conversation/share/find-all.ts";
import { findAssigned } from "../../../src/conversation/share/find-assigned.ts";
import { findInCommands } from "../../../src/conversation/share/find-commands.ts";
import { findKeys } from "../../../src/conversation/share/find-keys.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";

const WORDS = [
	..."password,passphrase,secret,token,api key,access key,pin,pw,bearer,pass,auth,mnemonic,TOKEN,ENV,setx,config set".split(
		",",
	),
	..."mc alias set a b c,aws configure set aws_secret_access_key,rabbitmqctl add_user ada,requirepass,masterauth".split(
		",",
	),
	..."machine host login ada password,is,was,for,the,to,hunter2,Xk29fLq8Zt,ghp_0123456789abcdefghij0123456789abcdef,12ab34cd".split(
		",",
	),
	..."2026-01-05T08:00:00.000Z,mark 12,user,AKIAIOSFODNN7EXAMPLE,echo,unzip,zip,mysql,7z,basic,cookie,pat".split(","),
];

test("short texts of plain words are told apart from those that say something secret, without looking for it", () => {
	const texts = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => words.join(" "));
	const check = (text: string): void => {
		const all = [findKeys, findProofs, findAssigned, findInCommands, findMail].flatMap((find) => [...find(text)]);
		expect([...findAll(text)]).toEqual(all);
	};
	fc.assert(fc.property(texts, check), { numRuns: 20 * caseCount(100), seed: FIRST_SEED });
});
