/** Layout of the page: the navigation beside it, and below 900 px at the bottom. */
import { css } from "lit";

export const appStyles = css`
  .page {
    display: grid;
    grid-template: "nav main" 1fr "foot main" auto / 216px minmax(0, 1fr);
    min-height: 100dvh;
    background: var(--bg);
  }
  .page.out {
    grid-template: "main" 1fr "foot" auto / minmax(0, 1fr);
  }
  main {
    grid-area: main;
    display: grid;
    gap: 16px;
    align-content: start;
    padding: 28px 32px 48px;
  }
  main:focus {
    outline: none;
  }
  nav {
    grid-area: nav;
    position: sticky;
    top: 0;
    z-index: 2;
    align-self: start;
    display: grid;
    gap: 14px;
    padding: 20px 12px;
  }
  footer {
    grid-area: foot;
    position: sticky;
    bottom: 0;
    display: flex;
    flex-wrap: wrap;
    gap: 8px 12px;
    align-items: center;
    padding: 12px 20px 20px;
    font-size: 0.875em;
  }
  footer select {
    width: auto;
  }
  .state {
    display: inline-flex;
    gap: 6px;
    align-items: center;
  }
  .state.live {
    color: var(--good);
  }
  .state.lost,
  .state.refused {
    color: var(--bad);
  }
  .lost {
    justify-self: start;
  }
  .brand {
    display: flex;
    gap: 10px;
    align-items: center;
    padding-inline: 12px;
    font-size: 1.125em;
    font-weight: 700;
  }
  .skip {
    position: absolute;
    top: 8px;
    inset-inline-start: 8px;
    z-index: 1;
  }
  .skip:not(:focus) {
    width: 1px;
    height: 1px;
    min-height: 0;
    padding: 0;
    overflow: hidden;
    clip-path: inset(50%);
  }
  nav ul {
    display: grid;
    gap: 4px;
  }
  nav a {
    display: flex;
    gap: 12px;
    align-items: center;
    min-height: 44px;
    padding: 8px 12px;
    border-radius: var(--radius);
    color: var(--text);
    text-decoration: none;
  }
  nav a:hover {
    background: var(--sunken);
  }
  nav a[aria-current="page"] {
    background: light-dark(#e4eefe, #1c3357);
    color: var(--action);
    font-weight: 600;
  }
  .count {
    min-width: 22px;
    margin-inline-start: auto;
    padding-inline: 6px;
    border-radius: 999px;
    background: var(--ask);
    color: var(--bg);
    font-size: 0.8125em;
    font-weight: 600;
    text-align: center;
  }
  .count.plain {
    background: var(--muted);
  }
  .page::before {
    content: "";
    grid-area: 1 / 1 / 3 / 2;
    border-inline-end: 1px solid var(--line);
    background: var(--surface);
  }
  .page.out::before {
    display: none;
  }
  .activity {
    display: grid;
    grid-template-columns: minmax(0, 760px);
    gap: 28px;
  }
  .activity.with-task {
    grid-template-columns: minmax(0, 2fr) minmax(0, 3fr);
  }
  .list,
  .detail {
    display: grid;
    gap: 16px;
    align-content: start;
  }
  .back {
    display: none;
  }
  @media (max-width: 899px) {
    .page::before {
      display: none;
    }
    .page {
      /* What sticks to the bottom of a screen stands above the navigation. */
      --page-foot: 64px;
      grid-template: "main" 1fr "foot" auto "nav" auto / minmax(0, 1fr);
    }
    main {
      padding: 20px 16px 24px;
    }
    footer {
      position: static;
      padding-inline: 16px;
    }
    nav {
      top: auto;
      bottom: 0;
      align-self: end;
      padding: 4px 6px;
      border-top: 1px solid var(--line);
      background: var(--surface);
    }
    .brand {
      display: none;
    }
    nav ul {
      grid-auto-columns: minmax(0, 1fr);
      grid-auto-flow: column;
    }
    nav a {
      position: relative;
      flex-direction: column;
      gap: 2px;
      padding: 6px 2px;
      font-size: 0.75em;
    }
    .count {
      position: absolute;
      top: 2px;
      inset-inline-start: 55%;
    }
    .activity.with-task {
      grid-template-columns: minmax(0, 1fr);
    }
    .with-task .list > p,
    .with-task slip-activity {
      display: none;
    }
    .with-task h1 {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    .back {
      display: inline-flex;
      justify-self: start;
    }
  }
`;
