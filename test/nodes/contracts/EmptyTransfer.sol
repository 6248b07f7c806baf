// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.30;

/// Calls itself USDT and emits the event of a transfer, but moves nothing and knows no balance.
contract EmptyTransfer {
    string public constant name = "Tether USD";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 6;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function transfer(address to, uint256 value) external {
        emit Transfer(msg.sender, to, value);
    }
}
