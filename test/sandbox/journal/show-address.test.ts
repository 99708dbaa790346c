import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { showAddress } from "../../../sandbox/journal/show-address.ts";

test.each([
  "http://127.0.0.1:8096/Users/AuthenticateByName",
  "http://app:8989/api/v3/rootfolder/12",
  "https://app/library/sections/all-shows_2.json",
  "http://app/",
])("the words of %s are shown", (url) => expect(showAddress(url)).toBe(url));

test("neither query, fragment, user nor password is shown, and nothing of what is no address", () => {
  expect(showAddress("http://ada:pass@app/a?token=1#b")).toBe("http://app/a");
  expect(showAddress("/users")).toBeNull();
});

test("a part that could be a token is masked, wherever it stands", () => {
  expect(showAddress("https://api/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/send")).toBe(
    "https://api/********/send",
  );
  expect(showAddress("http://app/keys/0b9c6f6e-3b0a-4c0e-9d57-1f0a2b3c4d5e")).toBe("http://app/keys/********");
  expect(showAddress("http://app/keys/a%2Fb%3Dc%2Fd")).toBe("http://app/keys/********");
});

test.each(["hex", "base64url"] as const)("of 2,000 values of 128 bits in %s none is shown", (form) => {
  const values = Array.from({ length: 2_000 }, (_, n) => createHash("md5").update(`${n}`).digest(form));
  expect(values.filter((value) => showAddress(`http://app/${value}`) !== "http://app/********")).toEqual([]);
});
