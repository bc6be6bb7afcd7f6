import { Controller, Get } from "@nestjs/common";
import { Throttle } from "@nestjs/throttler";
import { UserId } from "../auth/user-id.decorator.js";
import { presentLinkTree, presentUser } from "./present.js";
import { UsersService } from "./users.service.js";

@Controller("user")
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get("full")
  @Throttle({ default: { limit: Number(process.env.LIMIT_FULL ?? 30), ttl: 60_000 } })
  async full(@UserId() userId: string) {
    return presentUser(await this.users.full(userId));
  }

  @Get("linktrees")
  async linkTrees(@UserId() userId: string) {
    return (await this.users.linkTrees(userId)).map(presentLinkTree);
  }
}
